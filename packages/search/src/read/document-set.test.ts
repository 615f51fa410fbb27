import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { rounds } from '../../../../test/rounds.ts'
import { DocumentSet, newBits } from './document-set.ts'

/** Random rules that select documents. They produce sets of every density. */
const members = fc.record({ step: fc.integer({ min: 1, max: 700 }), first: fc.integer({ min: 0, max: 900 }) })

type Rule = { step: number; first: number }

const fits = ({ step, first }: Rule, document: number) => document >= first && (document - first) % step === 0

function bitsOf(size: number, has: (document: number) => boolean): Uint32Array {
  const bits = newBits(size)
  for (let at = 0; at < size; at++) if (has(at)) (bits[at >>> 5] as number) |= 1 << (at & 31)
  return bits
}

/** Returns two sets of the same documents, one eager and one lazy. */
function setsOf(size: number, has: (document: number) => boolean): DocumentSet[] {
  const found = DocumentSet.ofBits(size, bitsOf(size, has))
  const sought = DocumentSet.sought(size, found.count, {
    bits: () => bitsOf(size, has),
    has,
    each(visit, from) {
      for (let at = from; at < size; at++) if (has(at) && !visit(at)) return
    },
  })
  return [found, sought]
}

function listOf(set: DocumentSet, from = 0): number[] {
  const list: number[] = []
  set.each((document) => {
    list.push(document)
    return true
  }, from)
  return list
}

test('operations on lazy and eager sets give the same results', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 2000 }),
      members,
      members,
      fc.boolean(),
      (size, one, other, isNot) => {
        const inOne = (document: number) => fits(one, document)
        const inOther = (document: number) => fits(other, document) !== isNot
        const all = Array.from({ length: size }, (_, at) => at)
        // Each operation uses fresh sets, so that earlier operations do not affect it.
        for (const left of [0, 1])
          for (const right of [0, 1]) {
            const sets = () =>
              [setsOf(size, inOne)[left], setsOf(size, inOther)[right]] as [DocumentSet, DocumentSet]
            const check = (
              make: (a: DocumentSet, b: DocumentSet) => DocumentSet,
              keeps: (at: number) => boolean,
            ) => {
              const set = make(...sets())
              const expected = all.filter(keeps)
              assert.equal(set.count, expected.length)
              assert.deepEqual(
                listOf(set, size >> 1),
                expected.filter((at) => at >= size >> 1),
              )
              assert.deepEqual(
                all.filter((at) => set.has(at)),
                expected,
              )
              assert.deepEqual(listOf(set), expected)
            }
            check(
              (a, b) => a.and(b),
              (at) => inOne(at) && inOther(at),
            )
            check(
              (a, b) => b.and(a),
              (at) => inOne(at) && inOther(at),
            )
            check(
              (a, b) => a.or(b),
              (at) => inOne(at) || inOther(at),
            )
            check(
              (a, b) => a.without(b),
              (at) => inOne(at) && !inOther(at),
            )
          }
      },
    ),
    { numRuns: rounds(30, 2000) },
  )
})

test('intersecting a lazy set with a nearly complete set probes only the few missing documents', () => {
  const asked: number[] = []
  const size = 1000
  const even = DocumentSet.sought(size, 500, {
    bits: () => assert.fail('all are found'),
    has: (document) => asked.push(document) > 0 && document % 2 === 0,
    each(visit, from) {
      for (let at = from + (from % 2); at < size; at += 2) if (!visit(at)) return
    },
  })
  const live = DocumentSet.ofBits(
    size,
    bitsOf(size, (document) => document !== 2 && document !== 3),
  )
  const both = even.and(live)
  assert.deepEqual([both.count, asked], [499, [2, 3]])
  const first: number[] = []
  both.each((document) => first.push(document) < 3)
  assert.deepEqual(first, [0, 4, 6])
  assert.deepEqual(listOf(DocumentSet.all(5), 2), [2, 3, 4])
})
