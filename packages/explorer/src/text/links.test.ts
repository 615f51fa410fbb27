import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressOf, pictureFrom, safeHref } from './links.ts'

test('http, https and mailto links are allowed', () => {
  assert.equal(safeHref('https://sol.example/a?b#c'), 'https://sol.example/a?b#c')
  assert.equal(safeHref('http://sol.example'), 'http://sol.example/')
  assert.equal(safeHref('mailto:a@sol.example'), 'mailto:a@sol.example')
})

test('any other address is rejected', () => {
  const others = [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'blob:https://sol.example/x',
    'file:///etc/passwd',
    'vbscript:x',
    '//sol.example',
    '/path',
    'sol.example',
    'https://user@sol.example',
    'https://user:secret@sol.example',
    'https:// sol.example',
    'text with https://sol.example inside',
    'https://',
    '',
  ]
  for (const text of others) assert.equal(safeHref(text), undefined, text)
})

test('the path of a view is resolved only for a world that serves views', () => {
  const own = ['https://sol.example']
  assert.equal(addressOf('/v/a%3Ab', own), '/v/a%3Ab')
  assert.equal(addressOf('/v/a%3Ab', own, true), 'https://sol.example/v/a%3Ab')
  assert.equal(addressOf('/v/a b', own, true), '/v/a b')
  assert.equal(addressOf('/attachments/a.pdf', own), 'https://sol.example/attachments/a.pdf')
})

test('a picture is recognised by its file extension or by its declaration', () => {
  const own = ['https://sol.example']
  const picture = { href: 'https://sol.example/a.PNG', host: 'sol.example', isOwn: true }
  assert.deepEqual(pictureFrom('https://sol.example/a.PNG', own, false), picture)
  assert.equal(pictureFrom('https://other.example/a.jpg', own, false)?.isOwn, false)
  assert.equal(pictureFrom('https://sol.example/a', own, false), undefined)
  assert.equal(pictureFrom('https://sol.example/a', own, true)?.isOwn, true)
  const attached = { href: 'https://sol.example/attachments/io%20b.png', host: 'sol.example', isOwn: true }
  assert.deepEqual(pictureFrom('/attachments/io%20b.png', own, false), attached)
  assert.equal(pictureFrom('/attachments/io.pdf', own, false), undefined)
  assert.equal(pictureFrom('/elsewhere/io.png', own, true), undefined)
  assert.equal(pictureFrom('/attachments//evil.example/a.png', own, true)?.host, 'sol.example')
  assert.equal(pictureFrom('javascript:a.png', own, true), undefined)
  assert.equal(pictureFrom('mailto:a@sol.example', own, true), undefined)
})
