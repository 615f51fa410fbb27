/** Extension that serves a world as pages without scripts, along with sitemaps and a feed. */

export { type FeedAbout, feedPieces } from './feed.ts'
export { type Content, type Html, html } from './html.ts'
export type { Look, LookFile } from './look.ts'
export { SITEMAP_PATH } from './made-routes.ts'
export { type PagesOptions, pages } from './routes.ts'
export type { Shell } from './shell.ts'
export { sitemapPieces } from './sitemap-file.ts'
export { blockFaults, storyPath } from './story-page.ts'
export { STYLE } from './style.ts'
