import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fetchOf, hostile, moon, worldOf } from '../../../client/src/many/many.fixture.ts'
import { runWith } from '../memory-io.fixture.ts'
import { folderOf } from '../serving.fixture.ts'

const TITAN = '{"kind":"sol:moon","key":"titan","label":"Titan","size":1.0}'
const EVIL = { ...moon('evil', '\u001b[2Jgone\u202e'), attributes: {}, world: 'https://sol.example' }
const LONG = Array(20).fill(moon('x', 'x'.repeat(20_000)))

const fetch = fetchOf(
  [worldOf('sol', [moon('europa', 'Europa'), moon('io', 'Io')]), worldOf('evil', [EVIL])],
  {
    'long.example': hostile('long', { entities: LONG }),
    'mirror.example': (path) => Response.redirect(`https://sol.example${path}`, 301),
    'code.example': (path) =>
      path.includes('well-known')
        ? hostile('code', 0)(path)
        : Response.json({ code: `x\u001b[2J${'y'.repeat(9999)}`, message: 'No.' }, { status: 400 }),
    'their.example': (path) =>
      path.includes('well-known')
        ? hostile('their', 0)(path)
        : new Response(`{"output":{"rows":[${TITAN}],"other":[{}]}}`),
  },
) as typeof globalThis.fetch

const PROFILE = JSON.stringify({
  profile: 'worldwright/reading-1',
  names: { found: 'rows', type: 'kind', id: 'key', title: 'label' },
  proved: ['found', 'type', 'id', 'title'],
})

test('discover --in prints the matches of all worlds, and who is missing', async (t) => {
  const list =
    '# Worlds\nsol.example\n\nhttps://evil.example # shouts\nmirror.example\ngone.example\ncode.example\n'
  const cwd = await folderOf(t, { 'worlds.txt': list })
  const { code, out, err } = await runWith(['discover', '--in', 'worlds.txt', 'ice'], { cwd, fetch })
  assert.equal(code, 0)
  const [heading, ...rows] = out.trimEnd().split('\n')
  assert.match(`${heading}`, /^WORLD +TYPE +ID +TITLE$/)
  assert.deepEqual(
    rows.map((row) => row.split(/ {2,}/)),
    [
      ['https://sol.example', 'sol:moon', 'europa', 'Europa'],
      ['https://sol.example', 'sol:moon', 'io', 'Io'],
    ],
  )
  assert.deepEqual(err.trimEnd().split('\n'), [
    '2 matches shown; 2 of 4 worlds answered.',
    'https://mirror.example: the same world as https://sol.example',
    'https://gone.example: unreachable (network_error)',
    `https://code.example: refused (x\\u001b[2J${'y'.repeat(59)})`,
  ])
  const all = await runWith(['discover', '--in', 'worlds.txt', '--limit', '2'], { cwd, fetch })
  assert.doesNotMatch(all.err, /reading profile/)
  assert.match(all.out, /\nhttps:\/\/evil\.example +sol:moon +evil +\\u001b\[2Jgone\\u202e\n/)
})

test('discover --in --json prints a line for each match, then one for each world', async (t) => {
  const list = 'their.example profile.json\nsol.example\ngone.example\n'
  const cwd = await folderOf(t, { 'worlds.txt': list, 'profile.json': PROFILE })
  const argv = ['discover', '--in', `${cwd}/worlds.txt`, '--type', 'sol:moon', '--limit', '2', '--json']
  const { code, out } = await runWith(argv, { fetch })
  assert.equal(code, 0)
  assert.ok(out.includes(`"entity":${TITAN}}`), out)
  assert.deepEqual(
    out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
    [
      {
        origin: 'https://their.example',
        world: 'urn:their',
        rank: 1,
        type: 'sol:moon',
        id: 'titan',
        entity: JSON.parse(TITAN),
      },
      {
        origin: 'https://sol.example',
        world: 'urn:sol',
        rank: 1,
        type: 'sol:moon',
        id: 'europa',
        entity: { ...moon('europa', 'Europa'), revision: 'r1' },
      },
      { origin: 'https://their.example', world: 'urn:their', state: 'answered' },
      { origin: 'https://sol.example', world: 'urn:sol', state: 'answered', total: 2 },
      { origin: 'https://gone.example', state: 'unreachable', code: 'network_error' },
    ],
  )
})

test('discover --in fails without a world that answers, or a list', async (t) => {
  const cwd = await folderOf(t, {
    'gone.txt': 'gone.example\nno%address\ngone.example',
    'empty.txt': '# none\n',
    'three.txt': '\na b c',
  })
  const theirs = await folderOf(t, { 'worlds.txt': 'their.example\nlong.example' })
  const { err } = await runWith(['discover', '--in', 'worlds.txt'], { cwd: theirs, fetch })
  assert.match(
    err,
    /their\.example: broken \(invalid_response\)\nhttps:\/\/long\.example: broken \(response_too_large\)\nA world with other.*\nWorlds of long texts/,
  )
  const said = async (...argv: string[]) => {
    const { code, err } = await runWith(['discover', ...argv], { cwd, fetch })
    return [code, err.split('\n')[0]]
  }
  assert.deepEqual(await said('--in', 'gone.txt'), [1, '0 matches shown; 0 of 2 worlds answered.'])
  assert.deepEqual(await said('--in', 'empty.txt'), [2, 'error: empty.txt names no world.'])
  assert.deepEqual((await said('--in', 'three.txt'))[0], 2)
  assert.match(`${(await said('--in', 'none.txt'))[1]}`, /^error: No list of worlds at none\.txt: ENOENT/)
  assert.deepEqual(await said(), [2, 'error: Name a world by its origin, or a file of worlds with --in'])
  assert.equal((await said('--in', 'gone.txt', '--token', 's3cret'))[0], 2)
})
