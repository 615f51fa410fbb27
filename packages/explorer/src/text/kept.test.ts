import assert from 'node:assert/strict'
import { test } from 'node:test'
import { effect } from '@preact/signals'
import { createKept } from './kept.ts'

/** Creates an area that is full while `isFull`. */
function fakeArea() {
  const texts = new Map<string, string>()
  const area = {
    isFull: false,
    getItem: (key: string) => texts.get(key) ?? null,
    removeItem: (key: string) => void texts.delete(key),
    setItem(key: string, text: string) {
      if (area.isFull) throw new Error('it is full')
      texts.set(key, text)
    },
  }
  return { area, texts, get: () => area as unknown as typeof localStorage }
}

test('texts are stored for each origin, and those who read one see its changes', () => {
  const { texts, get } = fakeArea()
  const kept = createKept('note', get)
  const seen: (string | undefined)[] = []
  effect(() => void seen.push(kept.of('https://a.example')))
  assert.equal(kept.set('https://a.example', 'one'), true)
  assert.equal(kept.of('https://b.example'), undefined)
  assert.deepEqual([...texts], [['worldwright.note.https://a.example', 'one']])
  kept.set('https://a.example', undefined)
  assert.deepEqual(seen, [undefined, 'one', undefined])
  assert.equal(texts.size, 0)
})

test('a text that the browser refuses to store is kept in memory, in place of the stored one', () => {
  const { area, get } = fakeArea()
  const kept = createKept('note', get)
  kept.set('https://a.example', 'old')
  area.isFull = true
  assert.equal(kept.set('https://a.example', 'new'), false)
  assert.equal(kept.of('https://a.example'), 'new')
  area.isFull = false
  assert.equal(kept.set('https://a.example', 'newest'), true)
  assert.equal(kept.of('https://a.example'), 'newest')
})

test('without a storage, texts are kept in memory', () => {
  const kept = createKept('note', () => {
    throw new Error('it is forbidden')
  })
  assert.equal(kept.of('https://a.example'), undefined)
  assert.equal(kept.set('https://a.example', 'one'), false)
  assert.equal(kept.of('https://a.example'), 'one')
  kept.set('https://a.example', undefined)
  assert.equal(kept.of('https://a.example'), undefined)
})
