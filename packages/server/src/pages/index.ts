/** Pages of a world that need no script, and what leads the web to them. */

export { type FeedAbout, feedPieces } from './feed.ts'
export type { PageDownload } from './list-pages.ts'
export { SITEMAP_PATH } from './made-routes.ts'
export type { PagesOptions, WorldPages } from './routes.ts'
export { createPages } from './routes.ts'
export type { Shell } from './shell.ts'
export { sitemapPieces } from './sitemap-file.ts'
