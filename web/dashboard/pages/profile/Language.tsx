import { NativeSelect } from '@mantine/core'
import { chosenLanguage, chooseLanguage, texts } from '../../texts/texts.ts'

/** The language of the dashboard in this browser. */
export const Language = () => (
  <NativeSelect
    label={texts.language}
    value={chosenLanguage}
    onChange={({ target }) => chooseLanguage(target.value)}
    data={[
      { value: '', label: texts.asTheBrowser },
      { value: 'en', label: 'English' },
      { value: 'de', label: 'Deutsch' },
    ]}
  />
)
