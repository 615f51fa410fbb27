import assert from 'node:assert/strict'
import { test } from 'node:test'
import { h } from 'preact'
import { fire, get, key, press, show, startPage, textOf } from '../page.fixture.ts'

startPage()
const { Menu } = await import('./menu.tsx')

/** Renders a menu beside a button. `states` lists the states that the menu reported. */
function showMenu() {
  const states: boolean[] = []
  const onToggle = (isOpen: boolean) => void states.push(isOpen)
  const menu = h(Menu, { label: 'Columns', class: 'wide', asks: true, onToggle, children: h('input', null) })
  show(h('div', null, menu, h('button', { type: 'button' }, 'Elsewhere')))
  return { menu: get<HTMLDetailsElement>('details'), summary: get('summary'), states }
}

const pressed = (target: Element) => fire(target, new window.Event('pointerdown', { bubbles: true }))

test('pressing the button opens the box, and pressing outside closes it', () => {
  const { menu, summary, states } = showMenu()
  assert.equal(textOf(summary), 'Columns')
  assert.equal(get('.menu-box').className, 'menu-box wide')
  assert.equal(menu.hasAttribute('data-asks'), true)
  press(summary)
  assert.equal(menu.open, true)
  pressed(get('input'))
  assert.equal(menu.open, true)
  get('button', 'Elsewhere').addEventListener('pointerdown', (event) => event.stopPropagation())
  pressed(get('button', 'Elsewhere'))
  assert.equal(menu.open, false)
  assert.deepEqual(states, [true, false])
})

test('Escape closes the box, focuses the button and does not propagate', () => {
  const { menu, summary } = showMenu()
  let heard = 0
  const hear = () => {
    heard += 1
  }
  document.body.addEventListener('keydown', hear)
  press(summary)
  key(get('input'), 'ArrowDown')
  assert.deepEqual([menu.open, heard], [true, 1])
  get('input').focus()
  key(get('input'), 'Escape')
  assert.deepEqual([menu.open, heard], [false, 1])
  assert.ok(document.activeElement === summary)
  key(summary, 'Escape')
  assert.equal(heard, 2)
  document.body.removeEventListener('keydown', hear)
})

test('an unmounted menu ignores events', () => {
  const { menu, summary } = showMenu()
  press(summary)
  show(null)
  key(document.body, 'Escape')
  assert.equal(menu.open, true)
})
