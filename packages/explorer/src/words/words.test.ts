import assert from 'node:assert/strict'
import { test } from 'node:test'
import { language } from '../navigation/settings.ts'
import { AR } from './ar.ts'
import { DE } from './de.ts'
import { EN } from './en.ts'
import { ES } from './es.ts'
import { type Count, pluralIn } from './plural.ts'
import { unitText } from './words.ts'

const OTHERS = { ar: AR, de: DE, es: ES }

/** Returns every string of a language by its path. Functions are called with counts of `number`, displayed as marks. */
function texts(words: object, number: number, path = ''): Map<string, string> {
  const found = new Map<string, string>()
  for (const [name, value] of Object.entries(words)) {
    const here = `${path}/${name}`
    if (typeof value === 'object') {
      for (const [inner, text] of texts(value, number, here)) found.set(inner, text)
    } else {
      const mark = (text: string): Count => ({ number, toString: () => text })
      found.set(here, typeof value === 'function' ? value(mark('«1»'), mark('«2»'), mark('«3»')) : value)
    }
  }
  return found
}

const marks = (text: string) => [...text.matchAll(/«\d»/g)].map(([mark]) => mark).toSorted()
/** A number for each plural form in any language, and larger numbers. */
const NUMBERS = [0, 1, 2, 3, 11, 100, 1_000_000]
const english = texts(EN, 100)

test('every language has the same members', () => {
  assert.ok(english.size > 150)
  for (const [tag, words] of Object.entries(OTHERS))
    assert.deepEqual([...texts(words, 100).keys()].toSorted(), [...english.keys()].toSorted(), tag)
})

test('every string is non-empty and includes its arguments in every plural form', () => {
  for (const [tag, words] of Object.entries({ en: EN, ...OTHERS })) {
    for (const number of NUMBERS) {
      for (const [path, text] of texts(words, number)) {
        const about = `${tag}${path} ${number}: ${text}`
        assert.ok(text.trim() !== '' || path === '/list/news', about)
        assert.doesNotMatch(text, /undefined|\[object/, about)
        // A form for 0, 1 or 2 may spell out the number. Any other form contains digits.
        if (number > 2) assert.deepEqual(marks(text), marks(english.get(path) ?? ''), about)
      }
    }
  }
})

test('no translation equals the English text', () => {
  for (const [tag, words] of Object.entries(OTHERS)) {
    const own = texts(words, 100)
    const same = [...english].filter(
      ([path, text]) => own.get(path) === text && /[a-z]{4} [a-z]{3}/.test(text),
    )
    assert.deepEqual(same, [], tag)
  }
})

test('numbers select all six plural forms of Arabic', () => {
  const entities = (number: number) => AR.home.entities({ number, toString: () => String(number) })
  assert.deepEqual([0, 1, 2, 7, 40, 100].map(entities), [
    'لا كيانات',
    'كيان واحد',
    'كيانان',
    '7 كيانات',
    '40 كيانًا',
    '100 كيان',
  ])
})

test('languages have the plural categories that their strings use', () => {
  const categories = (tag: string) => new Intl.PluralRules(tag).resolvedOptions().pluralCategories.toSorted()
  assert.deepEqual(categories('ar'), ['few', 'many', 'one', 'other', 'two', 'zero'])
  assert.deepEqual(categories('es'), ['many', 'one', 'other'])
  const plural = pluralIn('es')
  const of = (number: number) =>
    plural({ number, toString: () => `${number}` }, { one: 'uno', many: 'millones', other: 'varios' })
  assert.deepEqual([0, 1, 2, 1_000_000].map(of), ['varios', 'uno', 'varios', 'millones'])
})

test('units of time are translated, and unit symbols are unchanged', () => {
  const spoken = (tag: 'ar' | 'de' | 'en' | 'es') => {
    language.value = tag
    return ['days', 'months', 'seconds', 'km', 'toString'].map(unitText)
  }
  assert.deepEqual(spoken('en'), ['days', 'months', 'seconds', 'km', 'toString'])
  assert.deepEqual(spoken('de'), ['Tage', 'Monate', 'Sekunden', 'km', 'toString'])
  assert.deepEqual(spoken('es'), ['días', 'meses', 'segundos', 'km', 'toString'])
  assert.deepEqual(spoken('ar'), ['يوم', 'شهر', 'ثانية', 'km', 'toString'])
})
