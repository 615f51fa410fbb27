import assert from 'node:assert/strict'
import { test } from 'node:test'
import { h } from 'preact'
import { fire, get, press, show, startPage, textOf } from '../page.fixture.ts'

startPage()
const { Dialog } = await import('./dialog.tsx')

/** Renders the dialog and counts the calls of `onClose`. */
function showDialog(isOpen: boolean) {
  let closed = 0
  const onClose = () => {
    closed += 1
  }
  show(h(Dialog, { title: 'Settings', isOpen, onClose, children: h('p', null, 'Colours') }))
  return { dialog: get<HTMLDialogElement>('dialog'), closed: () => closed }
}

test('a closed dialog does not render its content', () => {
  const { dialog } = showDialog(false)
  assert.equal(dialog.open, false)
  assert.equal(textOf(dialog), '')
})

test('an open dialog is labelled by its heading', () => {
  const { dialog } = showDialog(true)
  assert.equal(dialog.open, true)
  const heading = document.getElementById(dialog.getAttribute('aria-labelledby') ?? '')
  assert.equal(textOf(heading), 'Settings')
  assert.equal(textOf(get('p')), 'Colours')
  showDialog(false)
  assert.equal(get<HTMLDialogElement>('dialog').open, false)
})

test('the button, Escape and a press on the backdrop close the dialog', () => {
  const { dialog, closed } = showDialog(true)
  press(get('p'))
  assert.equal(closed(), 0)
  press(get('button', 'Close'))
  assert.equal(closed(), 1)
  press(dialog)
  assert.equal(closed(), 2)
  // When Escape is pressed, the browser closes the dialog and dispatches this event.
  fire(dialog, new window.Event('close'))
  assert.equal(closed(), 3)
})
