/** Draws the images of `skilldock demo`: `node resources/demo/draw.ts`. */
import { join } from 'node:path'
import sharp from 'sharp'

const deep = '#134866'
const blue = '#2b7aa9'
const sky = '#8cc4e8'
const pale = '#c4e3f6'
const paper = '#f7f5f1'
const ink = '#1d2a33'
const amber = '#d9963a'

const box = (x: number, y: number, width: number, height: number, fill: string, radius = 10): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill}"/>`
const lines = (x: number, y: number, widths: readonly number[], fill: string, step = 34): string =>
  widths.map((width, index) => box(x, y + index * step, width, 12, fill, 6)).join('')

const drawing = (width: number, height: number, ground: string, content: string): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${box(0, 0, width, height, ground, 0)}${content}</svg>`,
  )

/** A list next to a sheet, as in the review desk. */
function desk(): Buffer {
  const rows = Array.from({ length: 7 }, (_, index) => {
    const y = 150 + index * 96
    const ground = index === 1 ? box(110, y - 18, 440, 84, pale) : ''
    return `${ground}${box(132, y, 44, 44, index === 1 ? blue : sky, 22)}${lines(200, y + 2, [210 + ((index * 53) % 120), 150], index === 1 ? deep : '#b9c4ca', 28)}`
  }).join('')
  const sheet = `${box(620, 100, 870, 700, '#ffffff', 18)}${box(670, 150, 330, 26, deep, 8)}${lines(670, 214, [760, 700, 740, 420], '#c9d1d6')}${box(670, 380, 770, 220, ink, 12)}${lines(706, 416, [300, 420, 260, 380, 180], sky)}${box(670, 650, 170, 56, blue, 12)}${box(864, 650, 150, 56, '#e3e7e9', 12)}`
  return drawing(1600, 900, paper, rows + sheet)
}

/** Three modules, one after the other. */
function pipeline(): Buffer {
  const stage = (x: number, fill: string, dots: number): string => {
    const pattern = Array.from({ length: dots }, (_, index) =>
      box(x + 54 + (index % 4) * 54, 330 + Math.floor(index / 4) * 54, 34, 34, pale, 8),
    ).join('')
    return box(x, 270, 300, 260, fill, 24) + pattern
  }
  const arrow = (x: number): string =>
    `<path d="M${x} 400h70m-26 -26l26 26l-26 26" fill="none" stroke="${amber}" stroke-width="14" stroke-linecap="round" stroke-linejoin="round"/>`
  return drawing(
    1400,
    800,
    '#eef4f8',
    stage(110, deep, 12) + arrow(435) + stage(550, blue, 8) + arrow(875) + stage(990, '#4f9ac6', 4),
  )
}

/** A box within a box. */
function sandbox(): Buffer {
  const frames = [deep, '#1b5b80', blue, sky, paper].map((fill, index) =>
    box(120 + index * 130, 80 + index * 80, 1360 - index * 260, 840 - index * 160, fill, 60 - index * 8),
  )
  const core = `<circle cx="800" cy="500" r="52" fill="${amber}"/>`
  return drawing(1600, 1000, '#0d3149', frames.join('') + core)
}

/** A week of temperatures. */
function station(): Buffer {
  const points = Array.from({ length: 121 }, (_, index) => {
    const value = Math.sin(index / 8.6) * 120 + Math.sin(index / 31) * 90
    return `${140 + index * 10.2},${460 - value}`
  }).join(' ')
  const grid = Array.from({ length: 6 }, (_, index) =>
    box(140, 200 + index * 104, 1224, 3, '#dbe3e8', 1),
  ).join('')
  const bars = Array.from({ length: 24 }, (_, index) =>
    box(146 + index * 51, 780 - ((index * 37) % 90), 30, 10 + ((index * 37) % 90), pale, 4),
  ).join('')
  return drawing(
    1500,
    900,
    '#ffffff',
    `${box(140, 90, 420, 28, deep, 8)}${grid}${bars}<polyline points="${points}" fill="none" stroke="${blue}" stroke-width="8" stroke-linejoin="round"/>`,
  )
}

/** Spines of books with a mark on each. */
function shelf(): Buffer {
  const colors = [deep, amber, blue, '#5d6f7a', sky, '#8b3d2e', '#3f7f6b']
  let x = 90
  let books = ''
  for (let index = 0; x < 1240; index += 1) {
    const width = 58 + ((index * 29) % 52)
    const height = 430 + ((index * 67) % 190)
    books += box(x, 760 - height, width, height, colors[index % colors.length] ?? blue, 6)
    books +=
      box(x + 12, 760 - height + 36, width - 24, 10, paper, 4) + box(x + 12, 700, width - 24, 34, paper, 4)
    x += width + 7
  }
  return drawing(1400, 860, '#efe8dc', books + box(60, 760, 1280, 26, '#a98255', 6))
}

const save = (name: string): string => join(import.meta.dirname, name)
await sharp(desk()).webp({ quality: 86 }).toFile(save('desk.webp'))
await sharp(pipeline()).png({ palette: true, colors: 32 }).toFile(save('pipeline.png'))
await sharp(sandbox()).jpeg({ quality: 84, mozjpeg: true }).toFile(save('sandbox.jpg'))
await sharp(station()).png({ palette: true, colors: 32 }).toFile(save('station.png'))
await sharp(shelf()).webp({ quality: 84 }).toFile(save('shelf.webp'))
