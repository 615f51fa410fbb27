import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DE } from './de.ts'
import { EN } from './en.ts'

/** Every text of a language by its path, functions called with marks for what they are given. */
function texts(words: object, path = ''): Map<string, string> {
  const found = new Map<string, string>()
  for (const [name, value] of Object.entries(words)) {
    const here = `${path}/${name}`
    if (typeof value === 'object') for (const [inner, text] of texts(value, here)) found.set(inner, text)
    else found.set(here, typeof value === 'function' ? value('«1»', '«2»') : value)
  }
  return found
}

const english = texts(EN)
const german = texts(DE)

test('every language has the same members', () => {
  assert.ok(english.size > 150)
  assert.deepEqual([...german.keys()].toSorted(), [...english.keys()].toSorted())
})

test('no text is empty, and each says what it is given in every language', () => {
  for (const [path, text] of english) {
    const other = german.get(path) ?? ''
    assert.ok(text.trim() !== '' && other.trim() !== '', path)
    const marks = (one: string) => [...one.matchAll(/«\d»/g)].map(([mark]) => mark).toSorted()
    assert.deepEqual(marks(other), marks(text), path)
  }
})

test('what is translated is translated', () => {
  const same = [...english].filter(
    ([path, text]) => german.get(path) === text && /[a-z]{4} [a-z]{3}/.test(text),
  )
  assert.deepEqual(same, [])
})
