import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ListPage, ListPages } from './list-files.ts'

function pagesOf(ids: readonly string[]): ListPage[] {
  const lists = new ListPages('sol:moon', ids.length)
  const entity = (id: string) => ({ type: 'sol:moon', id, revision: '', json: JSON.stringify({ id }) })
  return [...ids.flatMap((id) => [...lists.add(entity(id))]), ...lists.end()]
}

/** Follows the cursors of a list from its first page, and returns the ids of each page. */
function walked(pages: readonly ListPage[], size: number): string[][] {
  const found: string[][] = []
  let name: string | undefined = 'first'
  while (name !== undefined) {
    const page = pages.find((one) => one.size === size && one.name === name)
    const body = JSON.parse(page?.json ?? assert.fail(`there is no page ${name}`))
    found.push(body.entities.map(({ id }: { id: string }) => id))
    name = body.nextCursor
  }
  return found
}

test('the pages of every size cover the whole list', () => {
  const ids = Array.from({ length: 20 }, (_, at) => `m${String(at).padStart(2, '0')}`)
  const pages = pagesOf(ids)
  for (const size of [1, 10, 100]) {
    const found = walked(pages, size)
    assert.deepEqual(found.flat(), ids)
    assert.deepEqual(found.length, Math.ceil(20 / size))
  }
  assert.equal(pages.length, 20 + 2 + 1)
})

test('an empty list has one empty page of each size', () => {
  assert.deepEqual(
    pagesOf([]).map(({ size, name, json }) => [size, name, json]),
    [1, 10, 100].map((size) => [size, 'first', `{"entities":[],"limit":${size},"total":0}`]),
  )
})

test('a cursor has twelve digits and depends on the first entity of its page', () => {
  const cursors = (ids: readonly string[]) =>
    pagesOf(ids).flatMap(({ size, name }) => (size === 1 && name !== 'first' ? [name] : []))
  assert.match(cursors(['a', 'b'])[0] ?? '', /^0000002\d{5}$/)
  assert.deepEqual(cursors(['a', 'b', 'c'])[0], cursors(['a', 'b'])[0])
  assert.notEqual(cursors(['a', 'aa', 'b'])[0], cursors(['a', 'b'])[0])
})
