import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { missingForOpenSearch, startOpenSearch } from '../../../opensearch/src/opensearch.fixture.ts'
import { runWith } from '../memory-io.fixture.ts'
import { folderOf, serving } from '../serving.fixture.ts'

const MOONS =
  '{"type":"sol:moon","id":"europa","title":"Ice"}\n{"type":"sol:moon","id":"io","title":"Fire"}\n'

const GUIDE = new URL('../../../../docs/guides/scale-out.md', import.meta.url)

/** Returns the guide's commands, as arguments, for a store in a file and this node as the cluster. */
async function guideCommands(host: string): Promise<string[][]> {
  const [, section = ''] = (await readFile(GUIDE, 'utf8')).split(
    /^## Search by a cluster|^### Without a copy/m,
  )
  const blocks = [...section.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block.trim())
  return blocks
    .flatMap((block) => block.replaceAll(/ \\\n +/g, ' ').split('\n'))
    .map((command) =>
      command
        .replaceAll("'", '')
        .replace('postgres://world@db.example/sol', 'sqlite:world.db')
        .replace(/search-1[^/]*/, host)
        .split(' ')
        .slice(2),
    )
}

test('the commands of the guide set up, verify and rebuild search by a cluster, which fails without it', {
  skip: missingForOpenSearch(),
}, async (t) => {
  const cluster = await startOpenSearch()
  t.after(() => cluster.end())
  const [serve = [], ...others] = await guideCommands(cluster.hosts[0] as string)
  const cwd = await folderOf(t, {
    'moons.ndjson': MOONS,
    'world.yaml': 'name: Sol\nsources:\n  - file: moons.ndjson\n',
  })
  const { url, ids } = await serving(t, cwd, ...serve.slice(1))
  const found = async (text: string, isCold = false) => {
    for (;;) {
      const response = await fetch(`${url}/api/world/v0/actions/wp:discover`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ input: { text } }),
      })
      const body = (await response.json()) as {
        output?: { entities: { id: string }[] }
        details?: { reason?: string }
      }
      // A newly started cluster may exceed the search timeout.
      const { reason } = body.details ?? {}
      if (reason === 'index_rebuilding' || (isCold && body.output === undefined)) continue
      return body.output?.entities.map(({ id }) => id) ?? [response.status, reason]
    }
  }
  assert.deepEqual(await found('ice', true), ['europa'])
  assert.deepEqual(
    others.map(([name]) => name),
    ['verify', 'admin'],
  )
  for (const command of [...others, others[0] as string[]]) {
    const { code, err } = await runWith(command, { cwd })
    assert.equal(code, 0, `${command.join(' ')}\n${err}`)
  }
  await cluster.kill(0)
  assert.deepEqual(await found('fire'), [503, 'search_unreachable'])
  assert.deepEqual(await ids('sol:moon'), ['europa', 'io'])
})
