import assert from 'node:assert/strict'
import { readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Change } from '@worldwright/client'
import { folderOf } from '../serving.fixture.ts'
import { Journal, type KeptChange } from './journal.ts'

const put = (id: string): Change => ({
  op: 'put',
  type: 'sol:moon',
  id,
  position: '1',
  next: id,
  revision: 'r',
  entity: { type: 'sol:moon', id, attributes: {} },
})

async function idsIn(journal: Journal): Promise<string[]> {
  const kept: KeptChange[] = []
  for await (const change of journal.changes()) kept.push(change)
  return kept.map(({ id, line }) => `${line === '' ? '-' : ''}${id}`)
}

test('a truncated journal resumes after its last complete page', async (t) => {
  const file = join(await folderOf(t, {}), 'changes')
  const journal = await Journal.open(file, 'base')
  await journal.add({ changes: [put('é'), put('io')], next: 'one', more: true })
  const first = (await readFile(file)).byteLength
  await journal.add({
    changes: [{ op: 'delete', type: 'sol:moon', id: 'io', position: '2', next: 'x' }],
    next: 'two',
    more: false,
  })
  const bytes = await readFile(file)
  const edges = [first - 1, first, first + 1, bytes.byteLength - 1, bytes.byteLength]
  const inside = Array.from({ length: 20 }, (_, count) => Math.floor((count * first) / 20))
  for (const length of [...inside, ...edges]) {
    await writeFile(file, bytes)
    await truncate(file, length)
    const opened = await Journal.open(file, 'base')
    const pages = length === bytes.byteLength ? 2 : length >= first ? 1 : 0
    assert.equal(opened.state.next, ['base', 'one', 'two'][pages], `at ${length}`)
    assert.deepEqual(await idsIn(opened), [[], ['é', 'io'], ['é', 'io', '-io']][pages])
    // The next page is appended to the last complete one.
    await opened.add({ changes: [put('last')], next: 'three', more: false })
    assert.equal((await idsIn(await Journal.open(file, 'base'))).at(-1), 'last')
  }
})

test('a journal with a different start offset is discarded unless it begins at the start of the log', async (t) => {
  const file = join(await folderOf(t, {}), 'changes')
  await (await Journal.open(file, 'old')).add({ changes: [put('io')], next: 'one', more: true })
  const other = await Journal.open(file, 'new')
  assert.deepEqual([other.state.next, await idsIn(other)], ['new', []])
  await other.begin(undefined)
  await other.add({ changes: [put('io')], next: 'one', more: true })
  const goingOn = await Journal.open(file, 'new')
  assert.deepEqual([goingOn.state.base, goingOn.state.next], [undefined, 'one'])
})
