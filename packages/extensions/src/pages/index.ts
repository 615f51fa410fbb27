/** Pages of a world that need no script, with sitemaps and a feed for discovery: an extension of a world. */

export { type FeedAbout, feedPieces } from './feed.ts'
export type { PageDownload } from './list-pages.ts'
export { SITEMAP_PATH } from './made-routes.ts'
export type { PagesOptions } from './routes.ts'
export { pages } from './routes.ts'
export type { Shell } from './shell.ts'
export { sitemapPieces } from './sitemap-file.ts'
