import assert from 'node:assert/strict'
import { test } from 'node:test'
import { graphLayout } from './graph-layout.ts'

const WIDTHS = [220, 320, 599, 600, 1180]
const COUNTS = [
  [0, 1],
  [1, 0],
  [1, 1],
  [3, 15],
  [15, 15],
  [30, 0],
] as const

test('names on one side are in separate rows and stay within the picture', () => {
  for (const width of WIDTHS)
    for (const [from, to] of COUNTS) {
      const layout = graphLayout(from, to, width)
      const about = `${width}: ${from}, ${to}`
      assert.deepEqual([layout.from.length, layout.to.length], [from, to], about)
      for (const isBefore of [true, false]) {
        const side = [...layout.from, ...layout.to].filter((node) => node.isBefore === isBefore)
        const rows = side.map(({ y }) => y).toSorted((a, b) => a - b)
        for (const [index, y] of rows.entries()) {
          assert.ok(y >= 22 && y <= layout.height - 22, `${about}: row at ${y}`)
          if (index > 0) assert.ok(y - (rows[index - 1] ?? 0) >= 43.9, `${about}: rows too close`)
        }
        for (const { x, room } of side) {
          assert.ok(x > 0 && x < width && room >= 100, `${about}: ${x} with ${room}`)
          assert.ok((isBefore ? x - room : x + room) <= width + 0.001, about)
        }
      }
    }
})

test('on a wide page the referrers precede the entity and its references follow it', () => {
  const { middle, from, to } = graphLayout(2, 3, 1000)
  assert.equal(middle.x, 500)
  for (const { x, isBefore } of from) assert.ok(x > middle.x + middle.room / 2 && !isBefore)
  for (const { x, isBefore } of to) assert.ok(x < middle.x - middle.room / 2 && isBefore)
})

test('on a narrow page the references are above the entity and the referrers below it', () => {
  const { middle, from, to } = graphLayout(2, 3, 340)
  assert.deepEqual(
    from.map(({ y }) => y),
    [22, 66],
  )
  assert.equal(middle.y, 110)
  assert.deepEqual(
    to.map(({ y }) => y),
    [154, 198, 242],
  )
})
