/** The explorer's page with what it shows of a world where no scripts run, and what search engines read of it. */
import type { WorldDescription } from '@worldwright/core'
import { html } from './html.ts'
import { footerOf, headOf, type Page } from './page-document.ts'
import { STYLE_PATH } from './style.ts'

/** The page of the explorer as it was built. */
export interface Shell {
  readonly text: string
  /** Its header fields: its policy stands in them as well. */
  readonly headers: Readonly<Record<string, string>>
}

/** The explorer's page for one world. Where scripts run it looks as it did; no request is added. */
export function shellText({ text }: Shell, page: Page, world: WorldDescription): string {
  const { text: head } = headOf(page, world)
  const { text: style } = html`<noscript><link rel="stylesheet" href="${STYLE_PATH}"></noscript>`
  const { text: plain } =
    html`<noscript><main><h1 dir="auto">${page.title}</h1>${page.body}</main>${footerOf(world)}</noscript>`
  return (
    text
      .replace(/<noscript>.*?<\/noscript>(?=\s*<\/body>)/s, () => plain)
      .replace(/<meta name="description"[^>]*>/, '')
      .replace(/<title>[^<]*<\/title>/, () => head)
      // Last, so that where both hold it is ours that counts.
      .replace('</head>', () => `${style}</head>`)
  )
}
