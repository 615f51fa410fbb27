import type { Format } from './contract/format.ts'

/** A Markdown file with or without front matter. If its file extension is unknown, it is recognized by its front matter. */
export const markdown: Format = {
  name: 'markdown',
  title: 'Markdown',
  endings: ['md', 'markdown'],
  isRecord: true,
  columns: [{ name: 'text', required: false, mediaType: 'text/markdown' }],
  sniff: (head) => /^---\r?\n/.test(head) && /\n---\s*(?:\r?\n|$)/.test(head),
  read: async (input) => (await import('./markdown/markdown-records.ts')).markdownRecords(input),
}
