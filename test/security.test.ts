import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT } from './source-files.ts'

/** Matches a cell with one or more test names and the file that contains them. */
const TESTS = /^"[^"]+"(?:(?:, | and )"[^"]+")* in `([^`]+\.ts)`$/
/** Matches a cell with one or more faults that `npm run chaos` injects. */
const FAULTS = /^`[a-z-]+`(?:(?:, | and )`[a-z-]+`)* of `npm run chaos`$/
/** Matches the title of a test or a subtest. */
const TITLE = /\(\s*(?:'(.*?[^\\])'|"(.*?[^\\])"|`(.*?)`),/gs

test('every threat in SECURITY.md names tests or faults that exist', () => {
  const [, ...threats] = read('SECURITY.md')
    .split('\n')
    .filter((line) => line.startsWith('| ') && line.split(' | ').length === 3)
  assert.ok(threats.length > 30)
  const faults = read('chaos/run.ts')
  for (const threat of threats) {
    const [, , cell = ''] = threat.replace(/ \|$/, '').split(' | ')
    for (const part of cell.split('; ')) {
      const [, file] = TESTS.exec(part) ?? []
      if (file === undefined) {
        assert.match(part, FAULTS)
        for (const [, fault] of part.matchAll(/`([a-z-]+)`/g))
          assert.match(faults, new RegExp(`^  '?${fault}'?: `, 'm'))
        continue
      }
      const titles = [...read(file).matchAll(TITLE)].map(([, ...forms]) => forms.find(Boolean) ?? '')
      for (const [, sentence = ''] of part.matchAll(/"([^"]+)"/g)) {
        const isThere = titles.some((title) => title.includes(sentence))
        assert.ok(isThere, `${file} has no test "${sentence}"`)
      }
    }
  }
})

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}
