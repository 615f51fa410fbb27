/** Generates realistic questions from titles of real entities: joined, split, with an additional word, or with errors. */
import type { SearchDocument } from '../../packages/search/src/port/document.ts'
import { type Dice, dice } from '../../packages/search/src/reference/random.fixture.ts'
import { IRREGULAR } from './irregular.ts'

/** Question, and the title of the entity that it refers to. Any entity with that title is correct. */
export interface Question {
  readonly text: string
  readonly title: string
}

/** Number of questions of each kind. */
const EACH = 300
const WORD = /^\p{L}+$/u

/** Raw material for questions. */
interface Source {
  readonly titles: readonly string[]
  /** Number of documents that contain a word. */
  readonly frequency: ReadonlyMap<string, number>
  readonly common: readonly string[]
  readonly rare: readonly string[]
  readonly documents: readonly SearchDocument[]
}

/** Makes a question of one kind from a title. Returns undefined if the title is not suitable. */
type Maker = (title: string, words: string[], source: Source, roll: Dice) => string | undefined

const LEFT_OUT = /[^\p{L}\p{N}' -]/gu

const MAKERS: Readonly<Record<string, Maker>> = {
  joined: (_, words, __, roll) => {
    const at = roll(words.length - 1)
    const [left = '', right = ''] = [words[at], words[at + 1]]
    if (words.length < 2 || words.length > 5 || left.length < 3 || right.length < 3) return undefined
    if (!WORD.test(left) || !WORD.test(right)) return undefined
    return words.toSpliced(at, 2, left + right).join(' ')
  },
  split: (_, words, { frequency }) => {
    for (const [at, word] of words.entries()) {
      if (word.length < 6 || !WORD.test(word) || words.length > 4) continue
      for (let cut = 3; cut <= word.length - 3; cut++) {
        const [left, right] = [word.slice(0, cut), word.slice(cut)]
        if ((frequency.get(left) ?? 0) > 20 && (frequency.get(right) ?? 0) > 20)
          return words.toSpliced(at, 1, left, right).join(' ')
      }
    }
    return undefined
  },
  'hyphen left out': (title) => {
    if (!/\p{L}{2}-\p{L}{2}/u.test(title)) return undefined
    return title.toLowerCase().replaceAll('-', '').replace(LEFT_OUT, ' ').trim()
  },
  'a common word too many': (_, words, { common }, roll) => {
    if (words.length < 2 || words.length > 4) return undefined
    return words.toSpliced(roll(words.length + 1), 0, common[roll(common.length)] as string).join(' ')
  },
  'a rare word too many': (_, words, { rare }, roll) => {
    if (words.length < 2 || words.length > 4) return undefined
    return words.toSpliced(roll(words.length + 1), 0, rare[roll(rare.length)] as string).join(' ')
  },
  'an unknown word too many': (_, words, { frequency }, roll) => {
    const unknown = Array.from({ length: 7 }, () => 'bcdfgklmnoprstuvaeiou'[roll(21)]).join('')
    if (words.length < 2 || words.length > 4 || frequency.has(unknown)) return undefined
    return words.toSpliced(roll(words.length + 1), 0, unknown).join(' ')
  },
  'irregular plurals': (_, words) => {
    const at = words.findIndex((word) => IRREGULAR.has(word))
    if (at < 0 || words.length > 6) return undefined
    return words.toSpliced(at, 1, IRREGULAR.get(words[at] as string) as string).join(' ')
  },
  'a beginning of 8 letters': (title) => {
    const folded = title.toLowerCase()
    return folded.length < 10 ? undefined : folded.slice(0, 8)
  },
  'number and unit together': (title) => respelt(title, '$1$2'),
  'number and unit apart': (title) => respelt(title, '$1 $2'),
  'number and unit with a hyphen': (title) => respelt(title, '$1-$2'),
  'a part of a code': (title, words, __, roll) => {
    const code = title.toLowerCase().match(/\b(?=[a-z0-9]*\d)(?=[a-z0-9]*[a-z])[a-z0-9]{5,}\b/)?.[0]
    if (!code) return undefined
    const parts = code.match(/[a-z]+|\d+/g) ?? []
    if (parts.length < 2) return undefined
    const kept = roll(2) ? parts.slice(0, -1) : parts.slice(1)
    return `${words[0]} ${kept.join('')}`
  },
  'two errors in a word': (_, words, __, roll) => {
    const longest = words.toSorted((left, right) => right.length - left.length)[0] ?? ''
    if (longest.length < 6 || !WORD.test(longest) || words.length > 4) return undefined
    return words.with(words.indexOf(longest), misspelt(misspelt(longest, roll), roll)).join(' ')
  },
  'one error in a word': (_, words, __, roll) => {
    const at = roll(words.length)
    const word = words[at] as string
    if (word.length < 3 || !WORD.test(word) || words.length > 4) return undefined
    return words.with(at, misspelt(word, roll)).join(' ')
  },
}

const UNIT = /(?<![\w.])(\d{1,4})[ -]?(GB|MB|MP|mm|cm|W|V|Hz|Watts?|Inch|in|ft)\b/i

function respelt(title: string, as: string): string | undefined {
  return UNIT.test(title) ? title.replace(new RegExp(UNIT.source, 'gi'), as).replace(/ - .*$/, '') : undefined
}

function misspelt(word: string, roll: Dice): string {
  const at = 1 + roll(word.length - 1)
  const letter = 'etaoinsrhl'[roll(10)] as string
  const kind = roll(4)
  if (kind === 0) return word.slice(0, at) + word.slice(at + 1)
  if (kind === 1) return word.slice(0, at) + letter + word.slice(at)
  if (kind === 2) return word.slice(0, at) + letter + word.slice(at + 1)
  return word.slice(0, at) + (word[at + 1] ?? '') + word[at] + word.slice(at + 2)
}

/** Returns the questions of each kind, which depend only on the documents. */
export function questionsOf(documents: readonly SearchDocument[]): Map<string, Question[]> {
  const source = sourceOf(documents)
  const kinds = new Map<string, Question[]>()
  for (const [kind, make] of Object.entries(MAKERS)) {
    const roll = dice(23)
    const questions: Question[] = []
    for (const title of shuffled(source.titles, roll)) {
      const words = wordsOf(title)
      const text = words.length === 0 ? undefined : make(title, words, source, roll)
      if (text !== undefined && text !== words.join(' ')) questions.push({ text, title })
      if (questions.length === EACH) break
    }
    kinds.set(kind, questions)
  }
  kinds.set('a sentence', sentences(source, dice(29)))
  return kinds
}

/** Makes sentences about films from their people and years, without the titles. */
function sentences({ documents }: Source, roll: Dice): Question[] {
  const films = documents.filter(({ type, text }) => type === 'wiki:movie' && text.split('\n').length > 3)
  const questions: Question[] = []
  for (const film of shuffled(films, roll)) {
    const names = film.text.split('\n').filter((line) => /^\p{Lu}\S+ \p{Lu}\S+$/u.test(line))
    const year = film.text.split('\n').find((line) => /^(19|20)\d\d$/.test(line))
    if (names.length < 2 || !year) continue
    const [first, second] = names
    const forms = [
      `which film from the year ${year} was it in which ${first} and ${second} played together?`,
      `I am looking for an old movie with ${second}, I think ${first} was in it as well`,
      `what was the name of the picture of ${year} that starred ${first} next to ${second}`,
    ]
    questions.push({ text: forms[roll(forms.length)] as string, title: film.title })
    if (questions.length === EACH) break
  }
  return questions
}

function sourceOf(documents: readonly SearchDocument[]): Source {
  const frequency = new Map<string, number>()
  for (const { title, summary, text } of documents) {
    for (const word of new Set(wordsOf(`${title} ${summary} ${text}`)))
      frequency.set(word, (frequency.get(word) ?? 0) + 1)
  }
  const words = [...frequency].filter(([word]) => WORD.test(word) && word.length > 2)
  words.sort(([left, many], [right, few]) => few - many || (left < right ? -1 : 1))
  const common = words.slice(0, 60).map(([word]) => word)
  const rare = words.filter(([, count]) => count > 1 && count < 20).map(([word]) => word)
  const titles = [...new Set(documents.map(({ title }) => title))].filter((title) =>
    /^[\p{sc=Latin}\P{L}]+$/u.test(title),
  )
  return { titles, frequency, common, rare, documents }
}

/** Returns the lower-case words of a text, including inner apostrophes and hyphens. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+(?:['-][\p{L}\p{N}]+)*/gu) ?? []
}

function shuffled<Item>(items: readonly Item[], roll: Dice): Item[] {
  const order = [...items]
  for (let at = order.length - 1; at > 0; at--) {
    const other = roll(at + 1)
    ;[order[at], order[other]] = [order[other] as Item, order[at] as Item]
  }
  return order
}
