import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { folderOf } from '../serving.fixture.ts'
import { LineSorter } from './line-sorter.ts'

test('lines are sorted by key, and only the last line of each key is kept', async (t) => {
  const folder = join(await folderOf(t, {}), 'parts')
  const line = fc.tuple(fc.constantFrom('a', 'b', 'ä', '\t', '"', '\u2028', '𐀀', 'a\0b'), fc.string())
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 40 }),
      fc.integer({ min: 1, max: 60 }),
      async (lines, size) => {
        const given = lines.map(([key, text]) => [key, text.replaceAll('\n', '')] as const)
        const sorter = new LineSorter(folder, size)
        for (const [key, text] of given) await sorter.add(key, text)
        const sorted: (readonly [string, string])[] = []
        for await (const keyed of sorter.sorted()) sorted.push(keyed)
        await sorter.remove()
        assert.deepEqual(
          sorted,
          [...new Map(given)].sort(([one], [other]) => (one < other ? -1 : 1)),
        )
        assert.equal(existsSync(folder), false)
      },
    ),
    { numRuns: 60 },
  )
})
