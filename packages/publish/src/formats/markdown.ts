/** Markdown with front matter: a file is a record. */
import type { Format } from './contract/format.ts'

/** A Markdown file, with or without front matter; without an ending, front matter identifies it. */
export const markdown: Format = {
  name: 'markdown',
  title: 'Markdown',
  endings: ['md', 'markdown'],
  isRecord: true,
  sniff: (head) => /^---\r?\n/.test(head) && /\n---\s*(?:\r?\n|$)/.test(head),
  read: async (input) => (await import('./markdown/markdown-records.ts')).markdownRecords(input),
}
