<?php
/**
 * The settings of the plug-in.
 *
 * @package UbikChat
 */

namespace UbikChat;

defined( 'ABSPATH' ) || exit;

/** Reads and validates the settings. */
final class Settings {

	/** Name of the option with all settings except the API key. */
	const OPTION = 'ubik_chat_settings';

	/** Name of the option with the API key. It is not loaded with every page. */
	const KEY_OPTION = 'ubik_chat_api_key';

	/** Name of the option with a random id of this site. */
	const SITE_OPTION = 'ubik_chat_site_id';

	/** Layouts of a chat in content. */
	const LAYOUTS = array( 'inline', 'page', 'bubble', 'panel' );

	/** Layouts of the chat on every page. */
	const WINDOW_LAYOUTS = array( 'bubble', 'panel' );

	/** Colour schemes; an empty one is that of the page. */
	const THEMES = array( '', 'light', 'dark', 'auto' );

	/** Where the chat of the site is shown. */
	const PLACEMENTS = array( 'none', 'all', 'selected' );

	/** Longest text of a setting, in characters. */
	const MAX_TEXT = 2000;

	/**
	 * Default settings.
	 *
	 * @return array<string, mixed>
	 */
	public static function defaults() {
		return array(
			'service_url'  => 'https://app.ubik-agent.com/api/v1',
			'agent_id'     => '',
			'placement'    => 'none',
			'pages'        => '',
			'site_layout'  => 'bubble',
			'greeting'     => '',
			'starters'     => '',
			'label'        => '',
			'sign_in_text' => '',
			'theme'        => '',
			'accent'       => '',
			'text'         => '',
			'background'   => '',
			'guests'       => false,
			'rate_limit'   => 120,
		);
	}

	/**
	 * All settings. Missing ones have their defaults; invalid ones are replaced by valid ones.
	 *
	 * @return array<string, mixed>
	 */
	public static function all() {
		$stored = get_option( self::OPTION, array() );
		$stored = is_array( $stored ) ? $stored : array();
		if ( self::is_service_fixed() ) {
			$stored['service_url'] = defined( 'UBIK_CHAT_SERVICE_URL' ) ? UBIK_CHAT_SERVICE_URL : '';
		}
		return self::sanitize( $stored );
	}

	/**
	 * Whether the address of the service is that of `wp-config.php`, or the default one. It is when the key is set there: an administrator who
	 * may not read the key may not choose where it is sent.
	 *
	 * @return bool
	 */
	public static function is_service_fixed() {
		return defined( 'UBIK_CHAT_API_KEY' ) || defined( 'UBIK_CHAT_SERVICE_URL' );
	}

	/**
	 * The address in the settings that is not used because only the key is in `wp-config.php`. The key may be that of this address, so it is
	 * sent neither there nor to the default one.
	 *
	 * @return string An empty string without such an address.
	 */
	public static function unused_service() {
		$is_unused = defined( 'UBIK_CHAT_API_KEY' ) && ! defined( 'UBIK_CHAT_SERVICE_URL' );
		$url       = self::sanitize( get_option( self::OPTION, array() ) )['service_url'];
		return $is_unused && $url !== self::defaults()['service_url'] ? $url : '';
	}

	/**
	 * Explains how the chat works again while an address in the settings is not used.
	 *
	 * @return string
	 */
	public static function unused_service_help() {
		/* translators: UBIK_CHAT_SERVICE_URL is the name of a constant. */
		return __( 'The API key of wp-config.php is sent nowhere, because the settings contain another address. Empty the field of the address to use https://app.ubik-agent.com/api/v1, or define the address in wp-config.php, as UBIK_CHAT_SERVICE_URL.', 'ubik-chat' );
	}

	/**
	 * Explains an address that is fixed by `wp-config.php`.
	 *
	 * @return string
	 */
	public static function fixed_service_help() {
		/* translators: UBIK_CHAT_SERVICE_URL is the name of a constant. */
		return __( 'The address is set in wp-config.php, as UBIK_CHAT_SERVICE_URL; while only the key is set there, it is https://app.ubik-agent.com/api/v1. One that was entered here is not used.', 'ubik-chat' );
	}

	/**
	 * One setting.
	 *
	 * @param string $name A name of `defaults()`.
	 * @return mixed
	 */
	public static function get( $name ) {
		return self::all()[ $name ];
	}

	/**
	 * The API key: that of `wp-config.php`, else the stored one; an empty string without one.
	 *
	 * @return string
	 */
	public static function api_key() {
		if ( defined( 'UBIK_CHAT_API_KEY' ) ) {
			return (string) UBIK_CHAT_API_KEY;
		}
		return (string) get_option( self::KEY_OPTION, '' );
	}

	/**
	 * A random id of this site, created with the first call. Users of two sites with one account at the service must not share an id.
	 *
	 * @return string
	 */
	public static function site_id() {
		$id = get_option( self::SITE_OPTION, '' );
		if ( ! is_string( $id ) || '' === $id ) {
			// Of two concurrent first calls, the first one stores its id: `add_option` does not overwrite.
			add_option( self::SITE_OPTION, strtolower( wp_generate_password( 16, false ) ), '', true );
			wp_cache_delete( self::SITE_OPTION, 'options' );
			$id = (string) get_option( self::SITE_OPTION );
		}
		return $id;
	}

	/**
	 * Validates settings from a form or from the database.
	 *
	 * @param array<string, mixed> $input Untrusted values by name.
	 * @return array<string, mixed> All settings.
	 */
	public static function sanitize( $input ) {
		$defaults = self::defaults();
		$input    = array_merge( $defaults, array_intersect_key( is_array( $input ) ? $input : array(), $defaults ) );
		$url      = esc_url_raw( trim( self::text( $input['service_url'] ) ), array( 'http', 'https' ) );
		return array(
			'service_url'  => '' === $url ? $defaults['service_url'] : untrailingslashit( $url ),
			'agent_id'     => sanitize_text_field( self::text( $input['agent_id'] ) ),
			'placement'    => self::choice( $input['placement'], self::PLACEMENTS ),
			'pages'        => self::sanitize_lines( $input['pages'] ),
			'site_layout'  => self::choice( $input['site_layout'], self::WINDOW_LAYOUTS ),
			'greeting'     => self::sanitize_lines( $input['greeting'] ),
			'starters'     => self::sanitize_lines( $input['starters'] ),
			'label'        => sanitize_text_field( self::text( $input['label'] ) ),
			'sign_in_text' => sanitize_text_field( self::text( $input['sign_in_text'] ) ),
			'theme'        => self::choice( $input['theme'], self::THEMES ),
			'accent'       => self::colour( $input['accent'] ),
			'text'         => self::colour( $input['text'] ),
			'background'   => self::colour( $input['background'] ),
			'guests'       => ! empty( $input['guests'] ),
			'rate_limit'   => min( 10000, max( 1, absint( $input['rate_limit'] ) ) ),
		);
	}

	/**
	 * A value of a list; the first one for any other value.
	 *
	 * @param mixed    $value   Untrusted.
	 * @param string[] $choices Allowed values.
	 * @return string
	 */
	public static function choice( $value, $choices ) {
		return in_array( $value, $choices, true ) ? $value : $choices[0];
	}

	/**
	 * A colour such as `#0a7d55`; an empty string for any other value.
	 *
	 * @param mixed $value Untrusted.
	 * @return string
	 */
	public static function colour( $value ) {
		return (string) sanitize_hex_color( self::text( $value ) );
	}

	/**
	 * A length of CSS such as `40rem`; an empty string for any other value.
	 *
	 * @param mixed $value Untrusted.
	 * @return string
	 */
	public static function length( $value ) {
		$value = trim( self::text( $value ) );
		return preg_match( '/^\d{1,5}(?:\.\d{1,3})?(?:px|em|rem|vh|svh|dvh)$/', $value ) ? $value : '';
	}

	/**
	 * A text of several lines without control characters. Unlike `sanitize_textarea_field`, keeps `%E6` and `<`, which addresses and Markdown
	 * contain.
	 *
	 * @param mixed $value Untrusted.
	 * @return string Not escaped.
	 */
	public static function sanitize_lines( $value ) {
		$text = wp_check_invalid_utf8( self::text( $value ) );
		return trim( (string) preg_replace( '/(?![\t\n\r])\p{Cc}/u', '', $text ) );
	}

	/**
	 * The non-empty lines of a text, at most four.
	 *
	 * @param mixed $value Untrusted.
	 * @return string[]
	 */
	public static function starters( $value ) {
		$lines = array_filter( array_map( 'trim', preg_split( '/\R/u', self::sanitize_lines( $value ) ) ?: array() ), 'strlen' );
		return array_slice( array_values( $lines ), 0, 4 );
	}

	/**
	 * A string of limited length; an empty one for any value that is not a scalar.
	 *
	 * @param mixed $value Untrusted.
	 * @return string
	 */
	private static function text( $value ) {
		// Forms send a line end as two characters, which the limit of the field counts as one.
		return is_scalar( $value ) ? mb_substr( str_replace( "\r\n", "\n", (string) $value ), 0, self::MAX_TEXT ) : '';
	}
}
