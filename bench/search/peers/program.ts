/** Runs peers that are separate programs, which read files and print lines. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Answer, Engine } from '../engine.ts'
import { bodyOf } from './body.ts'

/** Runs a program and resolves with its output. */
export const run = promisify(execFile)

/** Wraps a program as an engine. It reads a file of documents and a file of questions, and prints one line per question. */
export function programOf(command: string, args: readonly string[]): Engine {
  return async (documents, questions) => {
    const folder = mkdtempSync(join(tmpdir(), 'bench-peer-'))
    try {
      const [documentFile, questionFile] = [join(folder, 'documents.tsv'), join(folder, 'questions.txt')]
      const lines = documents.map((document) => `${plain(document.title)}\t${plain(bodyOf(document))}\n`)
      writeFileSync(documentFile, lines.join(''))
      writeFileSync(questionFile, questions.map((text) => `${plain(text)}\n`).join(''))
      const { stdout } = await run(command, [...args, documentFile, questionFile], { maxBuffer: 2 ** 28 })
      const answers = stdout.trimEnd().split('\n').map(answerOf)
      if (answers.length !== questions.length)
        throw new Error(`${command} gave ${answers.length} answers to ${questions.length} questions`)
      return answers
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

/** Puts a text on a single line, as the programs require. Only its words matter. */
function plain(text: string): string {
  return text.toWellFormed().replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
}

function answerOf(line: string): Answer {
  const [ms, ...found] = line.split(' ').map(Number)
  return { ms: ms as number, found }
}
