import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { missingForOpenSearch, startOpenSearch } from '../../../opensearch/src/opensearch.fixture.ts'
import { runWith } from '../memory-io.fixture.ts'
import { folderOf, serving } from '../serving.fixture.ts'

const MOONS =
  '{"type":"sol:moon","id":"europa","title":"Ice"}\n{"type":"sol:moon","id":"io","title":"Fire"}\n'

const GUIDE = new URL('../../../../docs/guides/scale-out.md', import.meta.url)

/** Returns the arguments of the guide's commands, with a file as the store and `host` as the cluster. */
async function guideCommands(host: string): Promise<string[][]> {
  const [, section = ''] = (await readFile(GUIDE, 'utf8')).split(
    /^## Search by a cluster|^### Without a replica/m,
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

test('the commands of the guide set up, verify and rebuild cluster search', {
  skip: missingForOpenSearch(),
}, async (t) => {
  const cluster = await startOpenSearch()
  t.after(() => cluster.end())
  const [serve = [], ...others] = await guideCommands(cluster.hosts[0] as string)
  const cwd = await folderOf(t, {
    'moons.ndjson': MOONS,
    'world.yaml': 'name: Sol\nsources:\n  - file: moons.ndjson\n',
  })
  const { url, ids, greeting } = await serving(t, cwd, ...serve.slice(1), '--admin-port', '0')
  const [, ready = ''] = /Health: +(\S+)/.exec(greeting) ?? assert.fail(greeting)
  // Until the index is there, the store's own index answers.
  for (let isFed = false; !isFed; ) {
    const { cluster } = (await (await fetch(ready)).json()) as { cluster: { lagSeconds?: number } }
    isFed = cluster.lagSeconds !== undefined
  }
  const changes = await fetch(`${url}/api/world/v0/changes`)
  const { position } = (await changes.json()) as { position: string }
  const found = async (text: string, isCold = false) => {
    for (;;) {
      const response = await fetch(`${url}/api/world/v0/actions/wp:discover`, {
        method: 'POST',
        // Wait until the loaded entities are in the index.
        headers: { 'content-type': 'application/json', 'worldwright-after': position },
        body: JSON.stringify({ input: { text } }),
      })
      const body = (await response.json()) as {
        output?: { entities: { id: string }[]; partial?: true }
        details?: { reason?: string }
      }
      // A newly started cluster may exceed the search timeout, with a partial answer or none.
      const { reason } = body.details ?? {}
      const isLate = response.status >= 500 || body.output?.partial === true
      if (reason === 'index_rebuilding' || (isCold && isLate)) continue
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
  assert.deepEqual(await found('fire'), ['io'])
  assert.deepEqual(await ids('sol:moon'), ['europa', 'io'])
})
