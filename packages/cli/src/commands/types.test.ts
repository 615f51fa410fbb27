import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { descriptionFrom } from '@worldwright/client/foreign'
import { memoryWorld } from '@worldwright/client/testing'
import { runWith } from '../memory-io.fixture.ts'
import { typeOf } from '../types/schema-text.ts'
import { worldText } from '../types/world-text.ts'

const MOON = {
  type: 'object',
  required: ['radiusKm'],
  properties: {
    radiusKm: { type: 'number', description: 'Mean radius. */ evil()' },
    kind: { enum: ['icy', 'rocky', null] },
    'discovered-by': { type: ['string', 'null'] },
    orbits: { $ref: '#/$defs/ref' },
    tags: { type: 'array', items: { type: 'string' } },
  },
  $defs: { ref: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } } },
} as const

const DOCUMENT = {
  protocol: 'world/0.1',
  endpoints: { api: 'https://sol.example/w' },
  entityTypes: [{ type: 'sol:star' }, { type: 'sol:moon', title: 'Moon', schema: MOON }, null, { type: 5 }],
  actions: [
    { name: 'wp:discover' },
    { name: 'sol:count', inputSchema: { type: 'object', properties: {} }, outputSchema: { type: 'integer' } },
  ],
}

const TEXT = `// Written by \`npx worldwright types\`: run it again instead of editing this file.
import type { JsonValue } from '@worldwright/client'

/** Entities and actions of this world: \`connect<Types>(origin)\`. */
export interface Types {
  entities: {
    /** Moon */
    "sol:moon": {
      /** Mean radius. *\\/ evil() */
      radiusKm: number
      kind?: "icy" | "rocky" | null
      "discovered-by"?: string | null
      orbits?: {
        id: string
      }
      tags?: (string)[]
    }
    "sol:star": JsonValue
  }
  actions: {
    "sol:count": {
      input: Record<string, JsonValue>
      output: number
    }
  }
}
`

test('types generates one interface for the entities and actions of a world', () => {
  assert.equal(worldText(descriptionFrom(DOCUMENT)), TEXT)
  assert.match(
    worldText(descriptionFrom({ protocol: 'world/0.1', endpoints: { api: 'https://a.example' } })),
    /entities: \{\}\n {2}actions: \{\}/,
  )
})

test('schemas are converted to types, or to JsonValue if no type can express them', () => {
  for (const [schema, type] of [
    [true, 'JsonValue'],
    [false, 'never'],
    [{}, 'JsonValue'],
    [null, 'JsonValue'],
    ['x', 'JsonValue'],
    [{ type: 'nonsense' }, 'JsonValue'],
    [{ const: 'a' }, '"a"'],
    [{ enum: [] }, 'never'],
    [{ enum: [{ a: 1 }] }, 'JsonValue'],
    [{ anyOf: [{ type: 'string' }, { type: 'integer' }] }, 'string | number'],
    [{ allOf: [{ type: 'string' }, { const: 'a' }] }, '(string) & ("a")'],
    [{ type: 'object', additionalProperties: { type: 'number' } }, 'Record<string, number>'],
    [{ type: 'array', prefixItems: [{ type: 'string' }], items: false }, '[(string)?]'],
    [{ $ref: 'https://else.example/schema' }, 'JsonValue'],
    [{ $ref: '#/$defs/none' }, 'JsonValue'],
    [{ const: 'a\u2028b' }, '"a\\u2028b"'],
  ] as const) {
    assert.equal(typeOf(schema), type, JSON.stringify(schema))
  }
})

test('the type of a self-referencing schema is finite', () => {
  const tree = { type: 'object', properties: { children: { type: 'array', items: { $ref: '#' } } } }
  assert.match(typeOf(tree), /JsonValue/)
})

async function workingFolder(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'types-'))
  t.after(() => rm(folder, { recursive: true }))
  const world = memoryWorld({
    document: { entityTypes: DOCUMENT.entityTypes, actions: DOCUMENT.actions } as object,
  })
  return {
    file: join(folder, 'world.d.ts'),
    io: { cwd: folder, fetch: world.fetch as typeof fetch },
    origin: world.origin,
  }
}

test('types writes to a file or to stdout, and --check fails if the file is out of date', async (t) => {
  const { file, io, origin } = await workingFolder(t)
  const missing = await runWith(['types', origin, '-o', 'world.d.ts', '--check'], io)
  assert.deepEqual([missing.code, missing.out], [1, ''])
  assert.match(missing.err, /does not exist/)
  assert.equal((await runWith(['types', origin, '-o', 'world.d.ts'], io)).code, 0)
  assert.equal(await readFile(file, 'utf8'), TEXT)
  assert.equal((await runWith(['types', origin], io)).out, TEXT)
  assert.equal((await runWith(['types', origin, '-o', 'world.d.ts', '--check'], io)).code, 0)
  await writeFile(file, TEXT.replace('radiusKm: number', 'radiusKm: string'))
  const drifted = await runWith(['types', origin, '-o', 'world.d.ts', '--check'], io)
  assert.equal(drifted.code, 1)
  assert.match(drifted.err, /not what the world says now/)
  assert.equal((await runWith(['types', origin, '--check'], io)).code, 2)
})

test('entries of the list of types that are not recognised are named, not left out silently', async () => {
  const document = { ...DOCUMENT, entityTypes: [{ type: 'sol:moon' }, { label: 'Sun' }, 'planet'] }
  const fetch: typeof globalThis.fetch = async () => Response.json(document)
  const typed = await runWith(['types', 'sol.example'], { fetch })
  assert.match(typed.err, /Left out, as it is not recognised as a type: {"label":"Sun"}\n/)
  assert.match(typed.err, /Left out, as it is not recognised as a type: "planet"\n/)
  const shown = await runWith(['show', 'sol.example'], { fetch })
  assert.match(shown.out, /\nsol:moon\nnot recognised: {"label":"Sun"}\nnot recognised: "planet"\n/)
})
