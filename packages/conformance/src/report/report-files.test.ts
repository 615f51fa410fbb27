import assert from 'node:assert/strict'
import { test } from 'node:test'
import { READING } from '@worldwright/client/foreign'
import type { Judged } from '../check/baseline.ts'
import { reportFiles } from './report-files.ts'
import type { Subject } from './reporter.ts'
import { verdictOf } from './verdict.ts'

const SUBJECT: Subject = {
  name: 'https://world.example',
  role: 'server',
  profile: 'level-1',
  checks: 2,
  kit: '0.1.0',
  rules: '1.0',
  date: '2026-11-27T08:00:00.000Z',
}

function result(outcome: Judged['outcome'], more: Partial<Judged> = {}): Judged {
  const said = {
    demands: 'a list is JSON',
    sentence: 'A list is `JSON`.',
    profile: 'level-1',
    milliseconds: 1,
  } as const
  return { id: 'L1-routes-2.a', rules: ['L1-routes-2'], ...said, outcome, ...more }
}

test('a verdict is a success only if every check was asked and none failed', () => {
  const verdict = (...results: Judged[]) => Object.values(verdictOf(SUBJECT, results))
  const [pass, fail] = [result('pass'), result('fail')]
  assert.deepEqual(verdict(pass, pass), ['passed', '2 passed'])
  assert.deepEqual(verdict(pass, result('warning')), ['passed', '1 passed, 1 warned'])
  assert.deepEqual(verdict(pass, result('not-asked')), ['incomplete', '1 passed, 1 not asked'])
  assert.deepEqual(verdict(pass, fail), ['failed', '1 failed'])
  assert.deepEqual(verdict(pass), ['incomplete', 'cut short after 1 of 2'])
  assert.deepEqual(verdict(fail), ['failed', 'cut short after 1 of 2, 1 failed'])
  assert.deepEqual(verdict(result('not-asked'), result('not-applicable')), [
    'incomplete',
    'nothing asked, 1 not asked',
  ])
})

test('a failure that a baseline expects is a failure in a report, and one that passes is none', () => {
  const results = [result('fail', { expected: 'failure' }), result('pass', { expected: 'stale' })]
  const files = reportFiles(SUBJECT, results)
  assert.equal(JSON.parse(files['report.json'] ?? '').verdict.state, 'failed')
  assert.match(files['report.html'] ?? '', /<strong>1 failed<\/strong>/)
  assert.match(files['badge.svg'] ?? '', />1 failed \| 2026-11-27<\/text>/)
})

test('a badge names the profile, the verdict, the date, and in its title the world and the rules', () => {
  const badge = (subject: Subject) =>
    reportFiles(subject, [result('pass'), result('pass')])['badge.svg'] ?? ''
  assert.match(badge(SUBJECT), />world level-1<\/text><text [^>]*>2 passed \| 2026-11-27<\/text>/)
  assert.match(
    badge(SUBJECT),
    /<title>https:\/\/world\.example: world level-1, rules 1\.0: 2 passed \| 2026-11-27</,
  )
  assert.match(badge({ ...SUBJECT, only: ['L1-*'] }), />world level-1 \(part\)<\/text>/)
  assert.match(badge({ ...SUBJECT, role: 'client' }), />world client level-1<\/text>/)
})

test('text of a world is shown as text in every file, and no file loads or runs anything', () => {
  const hostile = '"><script>alert(1)</script>&amp;\u202e\u001b[31m\ud800<img src=x onerror=y>'
  const exchanges = [{ request: hostile, response: hostile }]
  const results = [result('fail', { reason: hostile, exchanges }), result('pass')]
  const facts = {
    world: hostile,
    reading: { profile: READING, names: { entities: hostile }, proved: [] },
  } as const
  const files = reportFiles({ ...SUBJECT, name: hostile }, results, facts)
  for (const name of ['report.html', 'badge.svg']) {
    const text = files[name] ?? ''
    const tags = [...text.matchAll(/<([a-z!][^\s>]*)([^>]*)>/g)]
    assert.deepEqual(
      tags.filter(
        ([, tag, rest]) => /^(script|img|link|iframe)$/.test(tag ?? '') || /\bon\w+=|src=/.test(rest ?? ''),
      ),
      [],
    )
    assert.ok(
      text.includes('&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;\\u{202e}\\u{1b}[31m\\u{d800}'),
      name,
    )
    assert.ok(text.isWellFormed() && !text.includes('\u202e'), name)
  }
  assert.match(files['report.html'] ?? '', /default-src 'none'/)
  assert.equal(JSON.parse(files['report.json'] ?? '').world, hostile)
})

test('the page has each rule once, with the outcome and the reason of its checks, and links what it found', () => {
  const warned = result('warning', { id: 'L1-routes-2.b', reason: 'it has none' })
  const names = { entities: 'items', cursor: 'next' }
  const facts = { world: 'urn:x:1', reading: { profile: READING, names, proved: ['entities'] } } as const
  const page = reportFiles(SUBJECT, [result('pass'), warned], facts)['report.html'] ?? ''
  assert.equal(page.split('<code>L1-routes-2</code> A list is <code>JSON</code>.').length, 2)
  assert.match(
    page,
    /<tr id="L1-routes-2\.b">.*warned.*<p>a list is JSON<\/p><p class="warning">it has none<\/p>/,
  )
  assert.match(page, /<a href="#L1-routes-2\.b">/)
  for (const fact of [
    'urn:x:1',
    'version 1.0',
    'entities=items, cursor=next (a guess)',
    '2: 1 passed, 1 warned, 0 failed',
  ])
    assert.ok(page.includes(fact), fact)
})
