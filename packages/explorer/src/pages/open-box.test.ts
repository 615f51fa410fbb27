import assert from 'node:assert/strict'
import { test } from 'node:test'
import { h } from 'preact'
import { noteWorld } from '../navigation/settings.ts'
import { field, find, get, press, show, startPage, textOf, texts, type } from '../page.fixture.ts'

startPage()
const { route } = await import('../navigation/navigation.ts')
const { OpenBox, RecentWorlds, StartPage } = await import('./open-box.tsx')

const entered = (text: string) => {
  type(field('Address of a world'), text)
  press(get('button', 'Open'))
}

test('a valid address opens the world at its origin, and any other address is refused', () => {
  show(h(OpenBox, null))
  for (const text of [
    '',
    'two words',
    'javascript:alert(1)',
    'https://a:b@sol.example',
    'ftp://sol.example',
  ]) {
    entered(text)
    assert.match(textOf(get('[role=alert]')), /^This is not the address of a world/, text)
    assert.notEqual(route.value.page, 'home', text)
  }
  entered(' sol.example/some/path ')
  assert.deepEqual(route.value, { page: 'home', origin: 'https://sol.example' })
  assert.equal(find('[role=alert]'), undefined)
})

test('recent worlds except the open one can be reopened or forgotten', () => {
  show(h(RecentWorlds, null))
  assert.equal(textOf(document.body), 'Worlds that you open are remembered here, in this browser only.')
  noteWorld({ origin: 'https://sol.example', name: 'Sol' })
  noteWorld({ origin: 'https://books.example', name: '<b>Books\u202e</b>' })
  show(h(RecentWorlds, null))
  assert.deepEqual(texts('a'), ['<b>BooksU+202E</b>https://books.example', 'Solhttps://sol.example'])
  assert.equal(find('b'), undefined)
  show(h(RecentWorlds, { except: 'https://books.example' }))
  assert.deepEqual(texts('a'), ['Solhttps://sol.example'])
  press(get('button', 'Forget Sol'))
  assert.deepEqual(texts('a'), [])
  assert.equal(document.body.innerHTML, '')
  assert.match(localStorage.getItem('worldwright.recent') ?? '', /^\[\{"origin":"https:\/\/books\.example"/)
})

test('the start page shows the box and the recent worlds', () => {
  show(h(StartPage, null))
  assert.equal(textOf(get('h1.arrival')), 'Look at any world')
  assert.equal(field('Address of a world').type, 'url')
  assert.deepEqual(texts('h2'), ['Recently opened'])
})
