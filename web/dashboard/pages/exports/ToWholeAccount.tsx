import { Button, type ButtonProps } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { usePlace } from '../../place.ts'

interface Leading extends Pick<ButtonProps, 'size'> {
  readonly 'aria-label'?: string
  readonly children: ReactNode
}

/** Leads to the page of all that the account has. */
export function ToWholeAccount(given: Leading) {
  const { account } = usePlace()
  return (
    <Button
      {...given}
      variant="default"
      renderRoot={(props) => (
        <Link {...props} to="/$account/exports/account" params={{ account: account.developer_id }} />
      )}
    />
  )
}
