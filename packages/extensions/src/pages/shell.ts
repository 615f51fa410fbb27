/** The explorer's page, with content for browsers without scripts and metadata for search engines. */
import type { WorldDescription } from '@worldwright/core'
import { html } from './html.ts'
import { footerOf, headOf, type Page } from './page-document.ts'
import { STYLE_PATH } from './style.ts'

/** The page of the explorer as it was built. */
export interface Shell {
  readonly text: string
  /** Its header fields, which include its policy. */
  readonly headers: Readonly<Record<string, string>>
}

/** Returns the explorer's page for one world. With scripts, it looks unchanged and makes no further request. */
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
      // Last, so that our style wins if both apply.
      .replace('</head>', () => `${style}</head>`)
  )
}
