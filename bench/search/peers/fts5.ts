/** SQLite FTS5 in memory: words with the Porter stemmer, or trigrams, its only means of tolerating typing errors. */
import { DatabaseSync } from 'node:sqlite'
import type { SearchDocument } from '../../../packages/search/src/port/document.ts'
import { type Answer, DEPTH, type Engine, timed } from '../engine.ts'
import { bodyOf } from './body.ts'

/** Matches any of the words, with prefix matching of the last word. The title has double weight. */
export const words: Engine = (documents, questions) =>
  asked('porter unicode61 remove_diacritics 2', documents, questions, (text) => {
    const found = text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
    return found.map((word, at) => (at === found.length - 1 ? `"${word}" OR "${word}"*` : `"${word}"`))
  })

/** Maximum length of a trigram question. Longer ones give no better results and take tenths of a second. */
const LONGEST_BY_TRIGRAMS = 60

/** Matches any trigram of the question. A question that is too long has no hits. */
export const trigrams: Engine = (documents, questions) =>
  asked('trigram remove_diacritics 1', documents, questions, (text) => {
    if (text.length > LONGEST_BY_TRIGRAMS) return []
    const letters = Array.from(text.toLowerCase())
    const all = letters.slice(2).map((_, at) => letters.slice(at, at + 3).join(''))
    return [...new Set(all)].map((gram) => `"${gram.replaceAll('"', '""')}"`)
  })

function asked(
  tokenizer: string,
  documents: readonly SearchDocument[],
  questions: readonly string[],
  termsOf: (text: string) => string[],
): Answer[] {
  const db = new DatabaseSync(':memory:')
  db.exec(`CREATE VIRTUAL TABLE fts USING fts5 (title, body, tokenize = "${tokenizer}")`)
  const insert = db.prepare('INSERT INTO fts (rowid, title, body) VALUES (?, ?, ?)')
  db.exec('BEGIN')
  for (const [at, document] of documents.entries()) insert.run(at, document.title, bodyOf(document))
  db.exec('COMMIT')
  const match = db.prepare(
    `SELECT rowid FROM fts WHERE fts MATCH ? ORDER BY bm25(fts, 2, 1), rowid LIMIT ${DEPTH}`,
  )
  const answers = timed(questions, (text) => {
    const terms = termsOf(text)
    return terms.length === 0 ? [] : match.all(terms.join(' OR ')).map(({ rowid }) => Number(rowid))
  })
  db.close()
  return answers
}
