/** Share images: pictures of 1200 × 630 pixels that previews of pages show. */

export { type Fact, type ImageContent, type MapPoint, MOST_BARS } from './content.ts'
export { type Drawing, IMAGE_HEIGHT, IMAGE_WIDTH } from './drawing.ts'
export { createImageMaker, type ImageMaker } from './image-maker.ts'
export { type ViewRow, type ViewTable, type ViewValue, viewContent } from './view-content.ts'
