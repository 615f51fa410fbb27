import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openFake } from '../fake-world.fixture.ts'
import { find, startPage } from '../page.fixture.ts'

startPage()
const { route } = await import('../navigation/navigation.ts')
const { chosenLanguage, scheme } = await import('../navigation/settings.ts')
const { commandsOf, matching } = await import('./page-commands.ts')

const PAGE = `
  <main>
    <header>
      <nav class="switch"><a href="#table">Table</a><a href="#map">Map</a></nav>
      <details class="menu"><summary>Share</summary></details>
      <button aria-label="Compare: Titan"></button>
      <button disabled>Six at most</button>
    </header>
    <details class="ask-panel"><summary>Filters</summary>
      <details class="ask-property"><summary>Radius \u202e km</summary></details>
    </details>
  </main>`

async function commands() {
  const { open } = await openFake()
  document.body.innerHTML = PAGE
  return commandsOf(open.profile)
}

const labels = (some: readonly { label: string; kind: string }[]) =>
  some.map(({ label, kind }) => `${kind}: ${label}`)

test('the commands are the controls of the page, the types of the world and the settings', async () => {
  assert.deepEqual(labels(await commands()), [
    'Layout: Table',
    'Layout: Map',
    ': Share',
    ': Compare: Titan',
    'Filters: Radius \ufffd km',
    'Types: Thing',
    'Language: Same as the system',
    'Language: العربية',
    'Language: Deutsch',
    'Language: English',
    'Language: Español',
    'Colours: Same as the system',
    'Colours: Light',
    'Colours: Dark',
  ])
})

test('a command matches if each typed word begins a word of it, in any case and without accents', async () => {
  const all = await commands()
  const matched = (text: string) => labels(matching(all, text))
  assert.deepEqual(matched('col DARK'), ['Colours: Dark'])
  assert.deepEqual(matched('espanol'), ['Language: Español'])
  assert.deepEqual(matched('able'), [])
  assert.equal(matched('t').length, all.length)
})

test('a command presses its control, opens the boxes around it, or changes a setting', async () => {
  const all = await commands()
  const run = (text: string) => matching(all, text)[0]?.run()
  const pressed: string[] = []
  document.addEventListener('click', ({ target }) => pressed.push((target as Element).outerHTML))
  run('titan')
  assert.deepEqual(pressed, ['<button aria-label="Compare: Titan"></button>'])
  run('radius')
  assert.ok(find('.ask-panel')?.hasAttribute('open') && find('.ask-property')?.hasAttribute('open'))
  assert.equal(document.activeElement?.tagName, 'SUMMARY')
  assert.equal(pressed.length, 1)
  run('dark')
  assert.equal(scheme.value, 'dark')
  run('deutsch')
  assert.equal(chosenLanguage.value, 'de')
  scheme.value = 'auto'
  chosenLanguage.value = 'auto'
  run('thing')
  assert.equal(route.value.page === 'list' && route.value.type, 'f:thing')
})
