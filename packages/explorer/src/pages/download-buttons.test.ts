import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type EntityList, WorldError } from '@worldwright/client'
import { h } from 'preact'
import { moon } from '../moons.fixture.ts'
import { get, idle, press, show, shown, startPage, texts, until } from '../page.fixture.ts'

startPage()
const { DownloadButtons } = await import('./download-buttons.tsx')

const page = (...ids: string[]) => ({ entities: ids.map((id) => moon(id)), limit: 2, total: 3 }) as EntityList

/** Records the files saved by the page. */
function savedFiles(t: TestContext) {
  const files: { name: string; type: string; text: Promise<string> }[] = []
  let last: Blob | undefined
  t.mock.timers.enable({ apis: ['setTimeout'] })
  t.mock.method(URL, 'createObjectURL', (blob: Blob) => {
    last = blob
    return 'blob:saved'
  })
  const released = t.mock.method(URL, 'revokeObjectURL', () => {})
  t.mock.method(HTMLElement.prototype, 'click', function click(this: HTMLAnchorElement) {
    if (last !== undefined) files.push({ name: this.download, type: last.type, text: last.text() })
  })
  return { files, released }
}

type Pages = (signal: AbortSignal) => AsyncIterable<EntityList>

const showButtons = (pages: Pages, total?: number) =>
  show(h(DownloadButtons, { source: { name: 'sol:moon/x', total, pages } }))

async function* twoPages() {
  yield page('io', 'europa')
  yield page('titan')
}

test('the whole list can be saved in either format', async (t) => {
  const { files, released } = savedFiles(t)
  showButtons(twoPages, 3)
  assert.deepEqual(texts('button'), ['Download NDJSON 3', 'Download CSV 3'])
  assert.equal(get('button').title, '3 rows: download as NDJSON')
  press(get('button', 'Download NDJSON 3'))
  await shown('3 rows saved.')
  press(get('button', 'Download CSV 3'))
  await until(() => files.length === 2)
  assert.deepEqual(
    files.map(({ name, type }) => [name, type]),
    [
      ['sol-moon-x.ndjson', 'application/x-ndjson;charset=utf-8'],
      ['sol-moon-x.csv', 'text/csv;charset=utf-8'],
    ],
  )
  const lines = (await files[0]?.text)
    ?.trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).id)
  assert.deepEqual(lines, ['io', 'europa', 'titan'])
  assert.match(
    (await files[1]?.text) ?? '',
    /^type,id,title,summary,createdAt,updatedAt,revision\r\nf:moon,io,Io/,
  )
  t.mock.timers.tick(10_000)
  assert.deepEqual(
    released.mock.calls.map(({ arguments: [url] }) => url),
    ['blob:saved', 'blob:saved'],
  )
})

test('a running download shows its progress and can be cancelled', async (t) => {
  const { files } = savedFiles(t)
  let ended: AbortSignal | undefined
  showButtons(async function* (signal) {
    ended = signal
    yield page('io', 'europa')
    await new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(new WorldError('aborted')), { once: true })
    })
  }, 3)
  press(get('button', 'Download NDJSON 3'))
  await shown('2 of 3 rows read')
  press(get('button', 'Cancel'))
  assert.equal(ended?.aborted, true)
  await until(() => texts('button').length === 2)
  assert.deepEqual([files.length, texts('.said')], [0, ['']])
})

test('an incomplete list is not saved, and the reason is shown', async (t) => {
  const { files } = savedFiles(t)
  showButtons(async function* () {
    yield page('io')
    throw new Error('<b>the connection</b> broke')
  })
  assert.deepEqual(texts('button'), ['Download NDJSON', 'Download CSV'])
  assert.equal(get('button').title, 'All rows: download as NDJSON')
  press(get('button', 'Download CSV'))
  await shown('Nothing was saved: <b>the connection</b> broke')
  assert.equal(files.length, 0)
})

test('a list above the maximum size is truncated, and a note says so', async (t) => {
  const { files } = savedFiles(t)
  const many = {
    entities: Array.from({ length: 100_001 }, () => moon('x')),
    limit: 1,
    total: 250_000,
  } as EntityList
  showButtons(async function* () {
    yield many
  }, 250_000)
  assert.equal(get('button').title, 'The first 100,000 of 250,000 rows: download as NDJSON')
  press(get('button', 'Download NDJSON 100,000'))
  await shown('The first 100,000 rows were saved; there are more.')
  assert.equal(files.length, 1)
})

test('an empty list has no download buttons, and closing the view aborts a download', async () => {
  showButtons(twoPages, 0)
  assert.equal(document.body.innerHTML, '')
  let ended: AbortSignal | undefined
  showButtons(async function* (signal) {
    ended = signal
    yield page('io')
    await new Promise(() => {})
  })
  press(get('button', 'Download CSV'))
  await shown('1 rows read')
  show(null)
  await idle()
  assert.equal(ended?.aborted, true)
})
