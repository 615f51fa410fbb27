/** Share images: pictures of 1200 × 630 pixels that previews of pages show. */

export { MOST_BARS, MOST_ROWS } from './content.ts'
export type { Drawing } from './drawing.ts'
export { createImageMaker, type ImageMaker } from './image-maker.ts'
export { IMAGE_HEIGHT, IMAGE_WIDTH } from './pen.ts'
export { type ViewTable, viewContent } from './view-content.ts'
