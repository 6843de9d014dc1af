import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core'

/** From the lightest to the darkest; the sixth is the button of the light look, the fifth that of the dark one. */
const accent: MantineColorsTuple = [
  '#eef0ff',
  '#dde1fd',
  '#b9c1fa',
  '#9fb0ff',
  '#7382f2',
  '#4c5df0',
  '#3d4edb',
  '#3443bd',
  '#2b389c',
  '#212b78',
]

export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: { light: 6, dark: 5 },
  colors: { accent },
  autoContrast: true,
  defaultRadius: 6,
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'system-ui, sans-serif',
  fontFamilyMonospace: 'ui-monospace, monospace',
  fontSizes: { xs: '12px', sm: '14px', md: '14px', lg: '16px', xl: '20px' },
  headings: {
    fontFamily: 'system-ui, sans-serif',
    fontWeight: '600',
    sizes: { h1: { fontSize: '20px' }, h2: { fontSize: '16px' }, h3: { fontSize: '14px' } },
  },
})

/** The colours of all pages (`web/shared/tokens.css`), by the names that Mantine has for them. */
const COLOURS = {
  '--mantine-color-body': 'var(--page)',
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-bright': 'var(--text)',
  '--mantine-color-dimmed': 'var(--muted)',
  '--mantine-color-placeholder': 'var(--muted)',
  '--mantine-color-anchor': 'var(--accent)',
  '--mantine-color-error': 'var(--bad)',
  '--mantine-color-default': 'var(--panel)',
  '--mantine-color-default-hover': 'var(--subtle)',
  '--mantine-color-default-color': 'var(--text)',
  '--mantine-color-default-border': 'var(--control)',
}

/** Both looks have the same names: what they stand for changes with the look. */
export const colours: CSSVariablesResolver = () => ({ variables: {}, light: COLOURS, dark: COLOURS })
