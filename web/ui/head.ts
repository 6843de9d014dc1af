// Before anything is drawn, so that a dark page is never white for a moment. Mantine keeps what was chosen by this name.
const chosen = (() => {
  try {
    return localStorage.getItem('mantine-color-scheme-value')
  } catch {
    return null
  }
})()
const isDark = matchMedia('(prefers-color-scheme: dark)').matches
const scheme = chosen === 'light' || chosen === 'dark' ? chosen : isDark ? 'dark' : 'light'
document.documentElement.setAttribute('data-mantine-color-scheme', scheme)
