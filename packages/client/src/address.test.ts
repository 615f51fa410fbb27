import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiUrl, component, httpOrigin, isInsecure, originFrom } from './address.ts'

const REFUSED = { name: 'WorldError', code: 'invalid_argument', status: 0, url: '' }

test('an origin consists of scheme, host and port', () => {
  assert.equal(originFrom('https://sol.example'), 'https://sol.example')
  assert.equal(originFrom('https://sol.example/'), 'https://sol.example')
  assert.equal(originFrom('HTTPS://Sol.Example:443'), 'https://sol.example')
  assert.equal(originFrom('http://127.0.0.1:8080'), 'http://127.0.0.1:8080')
  assert.equal(originFrom('http://[::1]:8080'), 'http://[::1]:8080')
})

test('the full well-known URL is accepted and reduced to its origin', () => {
  assert.equal(originFrom('https://sol.example/.well-known/world.json'), 'https://sol.example')
})

test('an origin with a path, query, fragment, userinfo or other scheme is refused, and the message does not repeat it', () => {
  const wrong = [
    'https://sol.example/v0',
    'https://sol.example//',
    'https://sol.example/x/..',
    'https://sol.example/.well-known/world.json/',
    'https://sol.example/.well-known/world.json?x',
    'https://sol.example?',
    'https://sol.example/?a=b',
    'https://sol.example#',
    'https://user:hunter2@sol.example',
    'https://@sol.example',
    'sol.example',
    'localhost:3000',
    'ftp://sol.example',
    'https:/sol.example',
    'https:sol.example',
    ' https://sol.example',
    'https://sol.example\n',
    'https:\\\\sol.example',
    'https://',
    'https://sol.example:99999',
    '',
  ]
  for (const text of wrong) {
    assert.throws(() => originFrom(text), REFUSED, text)
    assert.throws(
      () => originFrom(text),
      (error: Error) => !JSON.stringify(error).includes('hunter2') && !`${error.stack}`.includes('hunter2'),
    )
  }
})

test('endpoints.api must be an absolute http or https URL without userinfo, query or fragment', () => {
  assert.equal(httpOrigin('https://h.example/w/v3'), 'https://h.example')
  assert.equal(httpOrigin('http://h.example:81/@x/'), 'http://h.example:81')
  const wrong = [
    '/w/v3',
    '//h.example/w',
    'https://u@h.example/w',
    'https://h.example/w?',
    'https://h.example/w#',
    'ws://h.example',
    'https://h.example/a b',
    '',
    5,
    null,
    undefined,
    ['https://h.example'],
  ]
  for (const text of wrong) assert.equal(httpOrigin(text), undefined, `${text}`)
})

test('plain http is secure only on loopback', () => {
  for (const host of ['localhost', 'a.localhost', '127.0.0.1', '127.9.8.7', '[::1]']) {
    assert.equal(isInsecure(`http://${host}`), false, host)
    assert.equal(isInsecure(`http://${host}:81`), false, host)
  }
  for (const host of [
    'sol.example',
    '127.0.0.1.sol.example',
    'localhost.sol.example',
    'xlocalhost',
    '10.0.0.1',
  ]) {
    assert.equal(isInsecure(`http://${host}`), true, host)
    assert.equal(isInsecure(`https://${host}`), false, host)
  }
})

test('a route is appended to endpoints.api by string concatenation', () => {
  assert.equal(apiUrl('https://h.example/w/v3', 'entities/x'), 'https://h.example/w/v3/entities/x')
  assert.equal(apiUrl('https://h.example/w/v3/', 'entities/x'), 'https://h.example/w/v3/entities/x')
  assert.equal(apiUrl('https://h.example', 'entities/x'), 'https://h.example/entities/x')
})

test('a name becomes one percent-encoded path component and is not normalised', () => {
  assert.equal(component('sol:moon'), 'sol%3Amoon')
  assert.equal(component('a/b?c#d e%2f'), 'a%2Fb%3Fc%23d%20e%252f')
  assert.equal(component('é'), '%C3%A9')
  assert.equal(component('e\u0301'), 'e%CC%81')
  assert.equal(component("!'()*~"), "!'()*~")
  assert.equal(component('🌍'), '%F0%9F%8C%8D')
  assert.equal(component('...'), '...')
  assert.equal(component('Other_World:Type'), 'Other_World%3AType')
})

test('a name that cannot be a path component is refused', () => {
  const wrong = [
    '',
    '.',
    '..',
    'a/..',
    './a',
    'a/../b',
    'a\\.\\b',
    '..\\',
    '\ud800',
    'a\udc00',
    '\u0000',
    'a\nb',
    '\u2028',
  ]
  for (const name of wrong) {
    assert.throws(() => component(name), REFUSED, JSON.stringify(name))
  }
  for (const name of [undefined, null, 5, {}]) assert.throws(() => component(name as string), REFUSED)
  assert.throws(() => component('..'), { details: { name: '..' } })
})
