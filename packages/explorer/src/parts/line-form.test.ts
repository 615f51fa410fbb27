import assert from 'node:assert/strict'
import { test } from 'node:test'
import { h } from 'preact'
import { field, find, get, press, show, startPage, submit, textOf, type } from '../page.fixture.ts'

startPage()
const { LineForm } = await import('./line-form.tsx')

test('the reason for refusing text is shown until other text is accepted', () => {
  const taken: string[] = []
  const onText = (text: string) => {
    taken.push(text)
    return text === 'right'
  }
  const box = { type: 'url', placeholder: 'https://sol.example' } as const
  show(h(LineForm, { label: 'Address', box, button: 'Open', wrong: 'Not an address', onText }))
  const input = field('Address')
  assert.equal(input.type, 'url')
  assert.equal(find('[role=alert]'), undefined)
  type(input, 'wrong')
  press(get('button', 'Open'))
  assert.equal(input.getAttribute('aria-invalid'), 'true')
  const message = document.getElementById(input.getAttribute('aria-describedby') ?? '')
  assert.equal(textOf(message), 'Not an address')
  assert.equal(message?.getAttribute('role'), 'alert')
  type(input, 'right')
  press(get('button', 'Open'))
  assert.equal(find('[role=alert]'), undefined)
  assert.equal(input.hasAttribute('aria-describedby'), false)
  assert.equal(submit(get('form')), false)
  assert.deepEqual(taken, ['wrong', 'right', 'right'])
})
