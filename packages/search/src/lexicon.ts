/** Words of questions, and the tokens and stems by which they are compared; for readers of questions outside the index. */

export { fold } from './text/fold.ts'
export * from './text/question-words.ts'
export { SUPERLATIVES } from './text/superlatives.ts'
export { termOf } from './text/synonyms.ts'
export { tokens } from './text/tokeniser.ts'
