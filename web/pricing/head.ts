import { stylesOf } from './look.ts'

// Before anything is drawn, so that the page never has another look first.
const { style } = document.documentElement
for (const [name, value] of Object.entries(stylesOf(new URLSearchParams(location.search)))) {
  style.setProperty(name, value)
}
