import { PasswordInput } from '@mantine/core'
import { useId, type ComponentProps } from 'react'
import { texts } from './texts/texts.ts'

/**
 * A field for a password; at first that of who is signed in. The field of the library does not say of itself that it is
 * wrong, nor why.
 */
export function Password({ description, error, ...field }: ComponentProps<typeof PasswordInput>) {
  const id = useId()
  const isWrong = error !== undefined
  const told = [
    ...(description === undefined ? [] : [`${id}-description`]),
    ...(isWrong ? [`${id}-error`] : []),
  ]
  return (
    <PasswordInput
      name="current_password"
      label={texts.currentPassword}
      autoComplete="current-password"
      visibilityToggleButtonProps={{ 'aria-label': texts.showPassword }}
      {...field}
      id={id}
      description={description}
      error={error}
      aria-invalid={isWrong}
      {...(told.length > 0 && { 'aria-describedby': told.join(' ') })}
    />
  )
}
