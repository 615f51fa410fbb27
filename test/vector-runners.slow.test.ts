/** Runs the vector runners of `examples/vectors` with the clients of `examples/clients`, if the language is installed. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { isCommand } from './foreign-worlds.ts'
import { reasonToSkip } from './missing.ts'

const ROOT = resolve(import.meta.dirname, '..')
const VECTORS = join(ROOT, 'docs/spec/vectors')
const EXAMPLES = join(ROOT, 'examples')
const folder = mkdtempSync(join(tmpdir(), 'worldwright-vectors-'))
after(() => rmSync(folder, { recursive: true }))

type Members = Record<string, unknown>

/** A case for clients, as far as it says what a client must do. */
interface Case {
  readonly profile: string
  readonly requests?: readonly (Members & { readonly headers: Members })[]
  readonly ids?: unknown[]
  readonly error?: Members
}

/** Returns the changes to a case, each of which makes one of its expectations wrong. */
function changesOf({ requests = [], ids, error = {} }: Case): (() => unknown)[] {
  return [
    ...requests.flatMap((request) => [
      () => (request['method'] = 'PUT'),
      () => (request['url'] = `${request['url']}x`),
      () => (request.headers['accept'] = 'text/html'),
      ...(request['body'] === undefined ? [] : [() => (request['body'] = '{"other":1}')]),
    ]),
    ...(ids === undefined ? [] : [() => ids.push('other'), () => ids.shift()]),
    ...Object.keys(error).map((name) => () => Object.assign(error, { [name]: 'other' })),
  ]
}

/** Writes the vectors with one expectation of each Level 1 case changed, in turn. Returns the number of those cases. */
function writeChanged(): number {
  let count = 0
  for (const kind of ['calls', 'cursors', 'errors', 'walks']) {
    const file = JSON.parse(readFileSync(join(VECTORS, `${kind}.json`), 'utf8'))
    for (const one of (file.cases as Case[]).filter(({ profile }) => profile === 'level-1')) {
      const changes = changesOf(one)
      changes[count % changes.length]?.()
      count += 1
    }
    writeFileSync(join(folder, `${kind}.json`), JSON.stringify(file))
  }
  return count
}

const COUNT = writeChanged()

/** Runs a runner with a client on all vectors as they are, and with one expectation of each changed. */
function judge([program = '', ...words]: readonly string[], client: readonly string[]): void {
  for (const [vectors, passed] of [
    [VECTORS, COUNT],
    [folder, 0],
  ] as const) {
    const { status, stdout } = spawnSync(program, [...words, vectors, ...client], { encoding: 'utf8' })
    assert.equal(stdout.trimEnd().split('\n').at(-1), `${passed} passed, ${COUNT - passed} failed`, stdout)
    assert.equal(status, passed === COUNT ? 0 : 1)
  }
}

test('the Python runner plays every vector of Level 1, and notices each changed expectation', {
  skip: reasonToSkip(isCommand('python3'), 'Python'),
}, () => {
  const client = join(EXAMPLES, 'clients/python/world.py')
  judge(['python3', '-B', join(EXAMPLES, 'vectors/python/vectors.py')], ['python3', '-B', client])
})

test('the Go runner plays every vector of Level 1, and notices each changed expectation', {
  skip: reasonToSkip(isCommand('go'), 'Go'),
}, () => {
  const [runner, client] = ['vectors/go/vectors.go', 'clients/go/main.go'].map((source, index) => {
    const program = join(folder, `program-${index}`)
    execFileSync('go', ['build', '-o', program, join(EXAMPLES, source)], { stdio: 'inherit' })
    return program
  })
  judge([runner ?? ''], [client ?? ''])
})
