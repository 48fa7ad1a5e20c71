<?php
/**
 * The chat of the site: a button in the corner of all or of selected pages.
 *
 * @package UbikChat
 */

namespace UbikChat;

defined( 'ABSPATH' ) || exit;

/** Adds the chat to the pages that the settings name. */
final class Site_Chat {

	/** Adds the chat to the footer, before the scripts are printed. */
	public static function register() {
		add_action( 'wp_footer', array( self::class, 'print_place' ), 5 );
	}

	/** Prints the chat on the pages that the settings name. */
	public static function print_place() {
		$settings = Settings::all();
		if ( ! self::is_shown( $settings ) ) {
			return;
		}
		echo Place::render( array( 'layout' => $settings['site_layout'] ) ); // phpcs:ignore WordPress.Security.EscapeOutput.OutputNotEscaped -- Escaped by `Place`.
	}

	/**
	 * Whether the page has the chat.
	 *
	 * @param array<string, mixed> $settings All settings.
	 * @return bool
	 */
	private static function is_shown( $settings ) {
		if ( 'selected' !== $settings['placement'] ) {
			return 'all' === $settings['placement'];
		}
		$uri  = isset( $_SERVER['REQUEST_URI'] ) ? esc_url_raw( wp_unslash( $_SERVER['REQUEST_URI'] ) ) : '/';
		$path = rawurldecode( (string) wp_parse_url( $uri, PHP_URL_PATH ) );
		$home = untrailingslashit( rawurldecode( (string) wp_parse_url( home_url(), PHP_URL_PATH ) ) );
		if ( '' !== $home && 0 === strpos( $path, $home . '/' ) ) {
			$path = substr( $path, strlen( $home ) );
		}
		$id = is_singular() || is_home() ? get_queried_object_id() : 0;
		foreach ( preg_split( '/\R/u', $settings['pages'] ) ?: array() as $line ) {
			if ( self::matches( trim( $line ), $path, $id ) ) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Whether a line of the settings names a page.
	 *
	 * @param string $line An id, or a path that may contain `*` for any characters, percent-encoded or not.
	 * @param string $path Path of the page from the home of the site, decoded.
	 * @param int    $id   Id of the post or page, also of the page that lists the posts; 0 for archives.
	 * @return bool
	 */
	private static function matches( $line, $path, $id ) {
		if ( '' === $line ) {
			return false;
		}
		if ( ctype_digit( $line ) ) {
			return (int) $line === $id;
		}
		$line    = rawurldecode( $line );
		$line    = '*' === substr( $line, -1 ) ? $line : trailingslashit( $line );
		$pattern = str_replace( '\*', '.*', preg_quote( $line, '#' ) );
		return 1 === preg_match( '#^' . $pattern . '$#sD', trailingslashit( $path ) );
	}
}
