/** Explorer page with added content for browsers without scripts, and metadata for search engines. */
import type { WorldDescription } from '@worldwright/core'
import { html } from './html.ts'
import { footerOf, headOf, type Page } from './page-document.ts'

/** Explorer page and its headers, as built. */
export interface Shell {
  readonly text: string
  /** Response headers of the page, including its content security policy. */
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Adds a world's content to the explorer page. If scripts are enabled, the page looks and behaves as before. `path` is that of
 * the style sheet.
 */
export function shellText({ text }: Shell, page: Page, world: WorldDescription, path: string): string {
  const { text: head } = headOf(page, world)
  const { text: style } = html`<noscript><link rel="stylesheet" href="${path}"></noscript>`
  const { text: plain } =
    html`<noscript><main>${page.above}<h1 dir="auto">${page.title}</h1>${page.body}</main>${footerOf(world)}</noscript>`
  return (
    text
      .replace(/<noscript>.*?<\/noscript>(?=\s*<\/body>)/s, () => plain)
      .replace(/<meta name="description"[^>]*>/, '')
      .replace(/<title>[^<]*<\/title>/, () => head)
      // Inserted last, so that our style wins if both apply.
      .replace('</head>', () => `${style}</head>`)
  )
}
