import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { h } from 'preact'
import { doing, get, press, show, shown, startPage, textOf } from '../page.fixture.ts'

startPage()
const { CopyButton } = await import('./copy-button.tsx')

/** Renders the button. The clipboard succeeds if `isAllowed` is true, and `execCommand` returns the result of `old`. */
function showButton(t: TestContext, isAllowed: boolean, old: (text: string) => boolean = () => false) {
  const written = t.mock.method(navigator.clipboard, 'writeText', async () => {
    if (!isAllowed) throw new Error('not allowed')
  })
  document.execCommand = () => old(document.querySelector('textarea')?.value ?? '')
  show(h(CopyButton, { text: () => 'curl https://sol.example', what: 'curl' }))
  return written
}

test('pressing the button copies the text and shows a confirmation for two seconds', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const written = showButton(t, true)
  assert.equal(textOf(get('button')), 'Copy: curl')
  assert.equal(textOf(get('[aria-live=polite]')), 'Copy')
  press(get('button'))
  await shown('Copied: curl')
  assert.deepEqual(written.mock.calls[0]?.arguments, ['curl https://sol.example'])
  doing(() => t.mock.timers.tick(1_999))
  assert.equal(textOf(get('button')), 'Copied: curl')
  doing(() => t.mock.timers.tick(1))
  assert.equal(textOf(get('button')), 'Copy: curl')
})

test('execCommand is used if the clipboard is unavailable', async (t) => {
  let copied = ''
  showButton(t, false, (text) => {
    copied = text
    return true
  })
  press(get('button'))
  await shown('Copied: curl')
  assert.equal(copied, 'curl https://sol.example')
  assert.equal(document.querySelector('textarea'), null)
})

test('a failure is shown if neither way of copying works', async (t) => {
  showButton(t, false)
  press(get('button'))
  await shown('Copying is not allowed here: curl')
})
