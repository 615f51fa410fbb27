import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { header, list, swap } from '../testing/breakages.ts'
import { referenceWorld } from '../testing/reference-world.ts'
import { run } from '../testing/run-command.ts'
import { type Judged, summarise } from './check/baseline.ts'
import { check } from './command.ts'
import { textReporter } from './report/text-report.ts'

const HOSTILE = header(list, 'cache-control', 'public').broken
const ESCAPES = swap(list, '"composed', '"\\u001b[31m ]]> & <b> "').broken

test('a run without failures exits with code 0 and prints a line for each check and a summary', async () => {
  await using world = await referenceWorld()
  const { code, stdout, stderr } = await run(world.origin, '--only', 'D3-1,D3-21')
  assert.deepEqual([code, stderr], [0, ''])
  assert.match(stdout, /^ok {8}D3-1\.a {13}a list has entities, limit, total/)
  assert.match(stdout, /\n2 passed, 0 failed, 0 not asked, 0 not applicable\.\n$/)
})

test('a failure exits with code 1 and is reported with its rule and the exchange', async () => {
  await using world = await referenceWorld({}, HOSTILE)
  const { code, stdout } = await run(world.origin, '--only', 'D6-2.b')
  assert.equal(code, 1)
  assert.match(stdout, /FAIL {6}D6-2\.b/)
  assert.match(
    stdout,
    /\n {2}The text: Entities and lists are sent with .*\(D6-2\)\n {2}Expected: a list has .*\n {2}Found: .* public, /,
  )
  assert.match(stdout, /GET \/there\/v0\/entities\/ref%3Ariver HTTP\/1\.1\n {4}host: 127\.0\.0\.1/)
  assert.match(stdout, /HTTP\/1\.1 200\n[\s\S]*cache-control: public\n/)
})

test('foreign text cannot control the terminal', async () => {
  const told = header(list, 'etag', '"\u009b31m"').broken
  await using world = await referenceWorld({}, told)
  const { stdout } = await run(world.origin, '--only', 'D6-2.b')
  assert.match(stdout, /\\u\{9b\}31m/)
  assert.ok(!stdout.includes('\u009b'))
})

test('a report masks the token', async () => {
  await using world = await referenceWorld({ token: 'the-secret' }, HOSTILE)
  const { code, stdout } = await run(world.origin, '--token', 'the-secret', '--only', 'D6-2.b', '--json')
  assert.equal(code, 1)
  assert.match(stdout, /authorization: Bearer \(not shown\)/)
  assert.ok(!stdout.includes('the-secret'))
})

test('the JSON report contains every result and the summary', async () => {
  await using world = await referenceWorld()
  const { stdout } = await run(world.origin, '--only', 'D3-1,D1-18', '--format', 'json')
  const { name, profile, summary, results } = JSON.parse(stdout)
  assert.deepEqual([name, profile], [world.origin, 'full'])
  assert.deepEqual(summary, {
    passed: 1,
    warned: 0,
    failed: 0,
    notAsked: 1,
    notApplicable: 0,
    expected: 0,
    stale: 0,
  })
  assert.deepEqual(
    results.map(({ id, outcome }: Record<string, string>) => [id, outcome]),
    [
      ['D1-18.a', 'not-asked'],
      ['D3-1.a', 'pass'],
    ],
  )
})

test('the JUnit report is well-formed XML even if a response contains characters that XML forbids', async () => {
  await using world = await referenceWorld(
    {},
    { told: (told, asked) => [HOSTILE, ESCAPES].map((one) => one.told?.(told, asked)) },
  )
  const { code, stdout } = await run(world.origin, '--only', 'D6-2,D1-18', '--format', 'junit')
  assert.equal(code, 1)
  assert.match(stdout, /<testsuite [^>]*tests="3" failures="1" errors="0" skipped="1"/)
  assert.match(
    stdout,
    /<testcase classname="D6-2" name="D6-2\.b [^"]*" time="[\d.]+"><failure message="[^"]*">/,
  )
  assertWellFormed(stdout)
})

test('a run with a baseline ignores known failures and fails for baseline entries that pass', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'))
  const baseline = join(folder, 'baseline.txt')
  await writeFile(baseline, '# being worked on\nD6-2.b   # soon\n\n')
  {
    await using world = await referenceWorld({}, HOSTILE)
    const known = await run(world.origin, '--only', 'D6-2', '--baseline', baseline)
    assert.equal(known.code, 0)
    assert.match(known.stdout, /known {5}D6-2\.b/)
    assert.match(known.stdout, /1 passed, 0 failed, 0 not asked, 0 not applicable, 1 known failures\./)
  }
  await using world = await referenceWorld()
  const fixed = await run(world.origin, '--only', 'D6-2', '--baseline', baseline)
  assert.equal(fixed.code, 1)
  assert.match(fixed.stdout, /D6-2\.b passes now: take it out of the baseline/)
  await writeFile(baseline, 'D99-1.a\n')
  assert.equal((await run(world.origin, '--baseline', baseline)).code, 2)
  await rm(folder, { recursive: true })
})

test('--version prints the versions of the kit and of the rules', async () => {
  assert.deepEqual(await run('--version'), { code: 0, stdout: 'kit 0.1.0\nrules 1.1\n', stderr: '' })
})

test('checks a client given as a command', async () => {
  const client = fileURLToPath(new URL('../testing/reference-client/main.ts', import.meta.url))
  const command = `"${process.execPath}" '${client}' --break=none`
  const { code, stdout } = await run('--client', command, '--only', 'L1-routes-5,L1-errors-2')
  assert.equal(code, 0, stdout)
  const broken = await run(
    '--client',
    command.replace('none', 'no-accept-discovery'),
    '--only',
    'L1-routes-5',
  )
  assert.equal(broken.code, 1)
  assert.match(broken.stdout, /Command: [\s\S]* show http:\/\/127\.0\.0\.1:\d+ --json\n {2}Exit: 0/)
})

test('--list prints the checks with their demands and rules, and sends no requests', async () => {
  const { code, stdout } = await run('--list', '--profile', 'level-1')
  assert.equal(code, 0)
  assert.match(
    stdout,
    /^L1-routes-1\.a {6}GET \/\.well-known\/world\.json on the origin .* \[L1-routes-1\]$/m,
  )
  assert.ok(!stdout.includes('D1-'))
  assert.match((await run('--list', '--client', 'x')).stdout, /^D5-52\.b .*pagination_loop/m)
})

test('wrong usage exits with code 2 and prints the reason', async () => {
  const wrong = [
    [],
    ['http://a.example', 'http://b.example'],
    ['http://a.example', '--client', 'x'],
    ['http://a.example/path'],
    ['ftp://a.example'],
    ['http://a.example', '--profile', 'half'],
    ['http://a.example', '--format', 'xml'],
    ['http://a.example', '--only', 'X-1'],
    ['http://a.example', '--baseline', '/no/such/file'],
    ['http://a.example', '--names', 'lists=items'],
    ['http://a.example', '--no-such-option'],
  ]
  for (const argv of wrong) {
    const { code, stderr, stdout } = await run(...argv)
    assert.equal(code, 2, argv.join(' '))
    assert.match(stderr, /^.+\n\nUsage:/s)
    assert.equal(stdout, '')
  }
  assert.equal((await run('--help')).code, 0)
})

test('an unreachable origin produces one message and no results', async () => {
  const origin = await (async () => {
    await using world = await referenceWorld()
    return world.origin
  })()
  for (const format of ['text', 'json']) {
    const { code, stdout, stderr } = await run(origin, '--format', format)
    assert.deepEqual([code, stdout], [1, ''])
    const [what, wayOut, ...rest] = stderr.split('\n')
    assert.match(
      what ?? '',
      /^Nothing was checked, since http:\S+ does not answer: connection: .*ECONNREFUSED/,
    )
    assert.match(wayOut ?? '', /^Check the address/)
    assert.deepEqual(rest, [''])
  }
})

test('a mistyped option gets a suggestion', async () => {
  assert.match(
    (await run('http://a.example', '--profil', 'full')).stderr,
    /\nDid you mean --profile\?\n\nUsage/,
  )
  assert.doesNotMatch((await run('http://a.example', '--zzz')).stderr, /Did you mean/)
})

test('an interrupted run ends at once with exit code 1', async () => {
  await using world = await referenceWorld({}, { silent: true })
  const ending = new AbortController()
  const written: string[] = []
  const stream = { write: (text: string) => written.push(text) }
  const ended = check([world.origin], { stdout: stream, stderr: stream, signal: ending.signal })
  setImmediate(() => ending.abort())
  assert.equal(await ended, 1)
  assert.deepEqual(written, ['Interrupted.\n'])
})

test('the summary names the option that enables a skipped check, and a strict run fails without it', async () => {
  await using world = await referenceWorld()
  const argv = [world.origin, '--only', 'D1-18,D3-1']
  const { code, stdout } = await run(...argv)
  assert.equal(code, 0)
  assert.match(stdout, /^not asked D1-18\.a .*\(no prefix is known to be retired\)$/m)
  assert.match(
    stdout,
    /1 passed, 0 failed, 1 not asked.*\n1 more can be asked once given --retired-prefix\.\n$/,
  )
  assert.equal((await run(...argv, '--strict')).code, 1)
})

test('only the first of several failures with the same cause is shown in full', () => {
  const result = (id: string): Judged => ({
    id,
    rules: ['D6-2'],
    profile: 'full',
    demands: 'x',
    sentence: 'y',
    outcome: 'fail',
    reason: 'the same',
    exchanges: [{ request: 'GET /', response: 'HTTP/1.1 200' }],
    milliseconds: 1,
  })
  const results = [result('D6-2.a'), result('D6-2.b')]
  const text = textReporter().end(results, summarise(results))
  assert.match(text, /\nD6-2\.a failed\n[\s\S]*Request:[\s\S]*\nD6-2\.b failed like D6-2\.a: the same\n/)
  assert.equal(text.split('Request:').length, 2)
})

test('a run fails if no check could be carried out', async () => {
  await using world = await referenceWorld()
  const { code, stdout } = await run(world.origin, '--only', 'D1-18.a')
  assert.equal(code, 1)
  assert.match(stdout, /nothing could be asked/)
})

/** Asserts that `xml` is well-formed: tags are closed, every `&` begins an entity, and no character is forbidden in XML. */
function assertWellFormed(xml: string): void {
  const open: string[] = []
  for (const [, slash, name = '', rest = ''] of xml.matchAll(/<([/?]?)([A-Za-z]+)((?:[^<>"]|"[^"<]*")*)>/g)) {
    if (slash === '?') continue
    if (slash === '/') assert.equal(open.pop(), name)
    else if (!rest.endsWith('/')) open.push(name)
  }
  assert.deepEqual(open, [])
  assert.doesNotMatch(xml.replaceAll(/&(?:amp|lt|gt|quot|#13);/g, ''), /&/)
  assert.doesNotMatch(xml.replaceAll(/<[/?]?[A-Za-z]+(?:[^<>"]|"[^"<]*")*>/g, ''), /[<>]/)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly the characters that XML forbids.
  assert.doesNotMatch(xml, /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/)
}
