import { ActionIcon, Button, Checkbox, Input, Menu, Modal, Tooltip, createTheme } from '@mantine/core'
import type { CSSVariablesResolver, VariantColorsResolver } from '@mantine/core'
import { colors, readToken, tokenVariables } from './tokens.ts'

/** Heights of controls in px; `md` is the default. */
const heights: Record<string, number> = { xs: 24, sm: 28, md: 32, lg: 36 }
const heightOf = (size: unknown): string => `${heights[typeof size === 'string' ? size : 'md'] ?? 32}px`
const paddings: Record<string, string> = { xs: '8px', sm: '10px', md: '12px', lg: '16px' }

const filled = {
  accent: {
    background: readToken('accent'),
    hover: readToken('accentHover'),
    color: readToken('onAccent'),
    border: '1px solid transparent',
  },
  bad: {
    background: readToken('bad'),
    hover: readToken('badHover'),
    color: readToken('sheet'),
    border: '1px solid transparent',
  },
}

// Tokens instead of shades: Mantine would choose the text color without regard to the color scheme.
const variantColorResolver: VariantColorsResolver = ({ variant, color }) => {
  const bad = color === 'red'
  if (variant === 'filled') return bad ? filled.bad : filled.accent
  if (variant === 'default') {
    return {
      background: readToken('raised'),
      hover: readToken('hover'),
      color: readToken(bad ? 'bad' : 'ink'),
      border: `1px solid ${readToken('line2')}`,
    }
  }
  return {
    background: 'transparent',
    hover: readToken('hover'),
    color: readToken(bad ? 'bad' : variant === 'transparent' ? 'accent' : 'ink2'),
    border: '1px solid transparent',
  }
}

export const cssVariablesResolver: CSSVariablesResolver = () => {
  const variables = {
    '--mantine-color-body': readToken('sheet'),
    '--mantine-color-text': readToken('ink'),
    '--mantine-color-bright': readToken('ink'),
    '--mantine-color-dimmed': readToken('ink2'),
    '--mantine-color-placeholder': readToken('ink3'),
    '--mantine-color-anchor': readToken('accent'),
    '--mantine-color-error': readToken('bad'),
    '--mantine-color-success': readToken('ok'),
    '--mantine-color-default': readToken('raised'),
    '--mantine-color-default-hover': readToken('hover'),
    '--mantine-color-default-color': readToken('ink'),
    '--mantine-color-default-border': readToken('line2'),
    '--mantine-color-disabled': readToken('sunken'),
    '--mantine-color-disabled-color': readToken('ink3'),
    '--mantine-color-disabled-border': readToken('line'),
    '--mantine-primary-color-filled': readToken('accent'),
  }
  return {
    variables: {},
    light: { ...tokenVariables('light'), ...variables },
    dark: { ...tokenVariables('dark'), ...variables },
  }
}

const sans = "'Inter Variable', system-ui, sans-serif"
const mono = "'JetBrains Mono Variable', ui-monospace, monospace"

export const theme = createTheme({
  primaryColor: 'harbor',
  primaryShade: { light: 7, dark: 3 },
  colors,
  white: '#FFFFFF',
  black: '#211F1B',
  defaultRadius: 'md',
  cursorType: 'default',
  respectReducedMotion: true,
  focusRing: 'auto',
  fontFamily: sans,
  fontFamilyMonospace: mono,
  headings: { fontFamily: sans, fontWeight: '600' },
  fontSizes: { xs: '11px', sm: '12px', md: '13px', lg: '15px', xl: '18px' },
  lineHeights: { xs: '16px', sm: '16px', md: '20px', lg: '22px', xl: '24px' },
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  radius: { xs: '3px', sm: '4px', md: '6px', lg: '8px', xl: '10px' },
  fontWeights: { regular: '400', medium: '500', bold: '600' },
  shadows: {
    sm: 'none',
    md: '0 6px 20px rgba(20, 18, 14, 0.22)',
    lg: '0 12px 40px rgba(20, 18, 14, 0.25)',
  },
  variantColorResolver,
  components: {
    Button: Button.extend({
      defaultProps: { variant: 'default', size: 'md' },
      vars: (_theme, props) => ({
        root: {
          '--button-height': heightOf(props.size),
          '--button-padding-x': paddings[typeof props.size === 'string' ? props.size : 'md'],
          '--button-fz': props.size === 'xs' || props.size === 'sm' ? '12px' : '13px',
        },
      }),
    }),
    ActionIcon: ActionIcon.extend({
      defaultProps: { variant: 'subtle', size: 'md' },
      vars: (_theme, props) => ({ root: { '--ai-size': heightOf(props.size) } }),
    }),
    Input: Input.extend({
      defaultProps: { size: 'md' },
      vars: (_theme, props) => ({
        wrapper: {
          '--input-height': heightOf(props.size),
          '--input-fz': '13px',
          '--input-left-section-width': undefined,
          '--input-right-section-width': undefined,
          '--input-padding-y': undefined,
          '--input-radius': undefined,
        },
      }),
    }),
    Checkbox: Checkbox.extend({ defaultProps: { size: 'xs', radius: 'sm' } }),
    Tooltip: Tooltip.extend({ defaultProps: { openDelay: 300, withArrow: false, color: 'dark' } }),
    Menu: Menu.extend({
      defaultProps: {
        shadow: 'md',
        radius: 'md',
        transitionProps: { duration: 0 },
        withinPortal: false,
        withInitialFocusPlaceholder: false,
      },
    }),
    Modal: Modal.extend({
      defaultProps: { lockScroll: false, radius: 'xl', shadow: 'lg', transitionProps: { duration: 0 } },
    }),
  },
})
