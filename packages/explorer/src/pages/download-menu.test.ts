import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { h } from 'preact'
import { openFake } from '../fake-world.fixture.ts'
import { find, get, idle, press, show, shown, startPage, texts, until } from '../page.fixture.ts'

startPage()
const { DownloadMenu } = await import('./download-menu.tsx')

const DOWNLOADS = [
  { format: 'ndjson', path: '/downloads/world.ndjson' },
  { format: 'csv', path: '/downloads/planets.csv', type: 'f:thing', loses: 'Types of <values>' },
  { format: 'constructor', path: '/downloads/planets.x', type: 'f:thing' },
  { format: 'csv', path: 'https://evil.example/x.csv', type: 'f:thing' },
  { format: 'csv', path: 'javascript:alert(1)', type: 'f:thing' },
]

/** Renders the menu for a world that returns `answer` as its list of files. `asked` lists the requested URLs. */
async function showMenu(t: TestContext, answer: () => Response | Promise<Response>, type?: string) {
  const { within, origin } = await openFake({
    document: { world: { name: 'Sol', license: 'CC-BY-4.0', attribution: 'By <many>' } },
  })
  const asked: string[] = []
  t.mock.method(globalThis, 'fetch', async (url: string) => {
    asked.push(url)
    return answer()
  })
  const otherwise = h('button', { type: 'button' }, 'Otherwise')
  const listUrl = `${origin}/downloads`
  show(within(h(DownloadMenu, { listUrl, otherwise, ...(type !== undefined && { type }) })))
  return { asked, origin, listUrl }
}

const open = () => press(get('summary'))
const links = () => [...document.querySelectorAll('a')].map((link) => link.getAttribute('href'))

test('opening the menu lists the files of a type, what each file lacks, and the licence', async (t) => {
  const { asked, origin, listUrl } = await showMenu(
    t,
    () => Response.json({ downloads: DOWNLOADS }),
    'f:thing',
  )
  await idle()
  assert.deepEqual(asked, [])
  open()
  await until(() => find('a'))
  assert.deepEqual(asked, [listUrl])
  assert.deepEqual(texts('a'), ['CSV', 'constructor'])
  assert.deepEqual(links(), [`${origin}/downloads/planets.csv`, `${origin}/downloads/planets.x`])
  assert.equal(get('a').hasAttribute('download'), true)
  assert.deepEqual(texts('.soft'), ['Loses: Types of <values>', 'Licence: CC-BY-4.0', 'By <many>'])
  assert.equal(find('button', 'Otherwise'), undefined)
})

test('without a type, the menu lists the files of the whole world', async (t) => {
  await showMenu(t, () => Response.json({ downloads: DOWNLOADS }))
  open()
  await until(() => find('a'))
  assert.deepEqual(texts('a'), ['NDJSON'])
})

test('the menu shows the fallback if there are no files or the list cannot be read', async (t) => {
  await showMenu(t, () => Response.json({ downloads: [] }))
  open()
  await shown('There is no file of this.')
  get('button', 'Otherwise')
  show(null)
  await showMenu(t, () => new Response('no', { status: 500 }))
  open()
  await shown('The world has a fault')
  get('button', 'Otherwise')
})

test('a loading notice is shown while the list is requested', async (t) => {
  await showMenu(t, () => new Promise<Response>(() => {}))
  open()
  assert.deepEqual(texts('[role=status]'), ['Loading…'])
})
