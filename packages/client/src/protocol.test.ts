import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressFault, idFault, isWellFormed, typeFault } from './protocol.ts'

test('a type is prefix:name in ASCII', () => {
  for (const type of ['sol:moon', 'a:B', 'a1.b-c2:Name_1.x-y', 'wp:discover', `a:${'b'.repeat(126)}`]) {
    assert.equal(typeFault(type), undefined, type)
  }
  assert.equal(typeFault(''), 'empty')
  assert.equal(typeFault(`a:${'b'.repeat(127)}`), 'too_long')
  for (const type of [
    'moon',
    ':moon',
    'sol:',
    'Sol:moon',
    'sol:moon:x',
    'sol:1',
    'sol_x:moon',
    'sol:mo on',
    'sol:é',
    'a..b:c',
  ]) {
    assert.equal(typeFault(type), 'malformed', type)
  }
})

test('an id is well-formed text of at most 512 bytes without control characters or dot segments', () => {
  for (const id of [
    'europa',
    'a b',
    'a/b',
    '...',
    '.a',
    'a..',
    '%2e%2e',
    'é',
    '🌍',
    'x'.repeat(512),
    'é'.repeat(256),
  ]) {
    assert.equal(idFault(id), undefined, id)
  }
  assert.equal(idFault(''), 'empty')
  assert.equal(idFault('x'.repeat(513)), 'too_long')
  assert.equal(idFault('é'.repeat(257)), 'too_long')
  assert.equal(idFault('\ud83c'), 'ill_formed_unicode')
  for (const id of ['a\u0000', '\u001f', '\u007f', '\u0085', '\u2028', '\u2029']) {
    assert.equal(idFault(id), 'control_character')
  }
  for (const id of [' a', 'a ', '\u00a0a', 'a\u3000']) assert.equal(idFault(id), 'outer_white_space')
  for (const id of ['.', '..', 'a/./b', 'a\\..', '../a']) assert.equal(idFault(id), 'dot_segment', id)
  assert.equal(idFault('e\u0301'), 'not_nfc')
})

test('addressFault accepts names that idFault and typeFault refuse', () => {
  assert.equal(addressFault(' a '), undefined)
  assert.equal(addressFault('e\u0301'), undefined)
  assert.equal(addressFault('x'.repeat(513)), undefined)
  assert.equal(addressFault('..'), 'dot_segment')
})

test('isWellFormed detects lone surrogates', () => {
  assert.equal(isWellFormed('a🌍b'), true)
  for (const text of ['\ud800', '\udc00', 'a\ud83c', '\udf0d\ud83c']) assert.equal(isWellFormed(text), false)
})
