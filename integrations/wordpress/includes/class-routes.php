<?php
/**
 * The two routes that pages request.
 *
 * @package UbikChat
 */

namespace UbikChat;

defined( 'ABSPATH' ) || exit;

/**
 * Pages are the same for every visitor, so that they can be cached. What belongs to one visitor comes from two routes of `admin-ajax.php`,
 * which no cache stores: the session route tells who the visitor is and sends a nonce, and the token route issues a token for that nonce.
 *
 * They are not routes of the REST API, because that API answers requests from pages of any origin (CORS), and some sites forbid it to guests.
 */
final class Routes {

	const SESSION = 'ubik_chat_session';
	const TOKEN   = 'ubik_chat_token';

	/** Adds the routes, for users and for guests. */
	public static function register() {
		foreach ( array( '', 'nopriv_' ) as $kind ) {
			add_action( 'wp_ajax_' . $kind . self::SESSION, array( self::class, 'send_session' ) );
			add_action( 'wp_ajax_' . $kind . self::TOKEN, array( self::class, 'send_token' ) );
		}
	}

	/**
	 * The path of a route.
	 *
	 * @param string $action `SESSION` or `TOKEN`.
	 * @return string
	 */
	public static function path( $action ) {
		return add_query_arg( 'action', $action, admin_url( 'admin-ajax.php', 'relative' ) );
	}

	/**
	 * Responds with `{"userKey", "nonce"}`, both null for a guest who may not chat; with 405 for any other method than GET. A form of another
	 * site is sent without the cookie of the guest, and the response would replace that cookie.
	 */
	public static function send_session() {
		self::require_method( 'GET' );
		Visitor::ensure_guest_id();
		$user = Visitor::external_id();
		self::send(
			200,
			array(
				'userKey' => $user,
				'nonce'   => null === $user ? null : wp_create_nonce( self::nonce_action( $user ) ),
			)
		);
	}

	/** Responds with `{"access_token", "token_type", "expires_in"}`, or with `{"detail"}` and the status 401, 403, 405, 429 or 502. */
	public static function send_token() {
		self::require_method( 'POST' );
		$user = Visitor::external_id();
		if ( null === $user ) {
			self::send( 401, array( 'detail' => __( 'Sign in to chat.', 'ubik-chat' ) ) );
		}
		$nonce = isset( $_POST['nonce'] ) ? sanitize_text_field( wp_unslash( $_POST['nonce'] ) ) : '';
		if ( ! wp_verify_nonce( $nonce, self::nonce_action( $user ) ) ) {
			self::send( 403, array( 'detail' => __( 'The page is outdated: reload it.', 'ubik-chat' ) ) );
		}
		$wait = Rate_Limit::count( Visitor::rate_key(), Settings::get( 'rate_limit' ) );
		if ( $wait > 0 ) {
			header( 'Retry-After: ' . $wait );
			self::send( 429, array( 'detail' => __( 'Too many requests. Please wait.', 'ubik-chat' ) ) );
		}
		$token = Service::request_token( $user );
		if ( is_wp_error( $token ) ) {
			// Visitors do not get the reason, which is for administrators.
			self::send( 502, array( 'detail' => __( 'The chat is not available at the moment.', 'ubik-chat' ) ) );
		}
		self::send(
			200,
			array(
				'access_token' => $token,
				'token_type'   => 'bearer',
				'expires_in'   => Service::TOKEN_MINUTES * MINUTE_IN_SECONDS,
			)
		);
	}

	/**
	 * Ends the request with 405 unless it has a method.
	 *
	 * @param string $method Such as `GET`.
	 */
	private static function require_method( $method ) {
		if ( ! isset( $_SERVER['REQUEST_METHOD'] ) || $method !== $_SERVER['REQUEST_METHOD'] ) {
			header( 'Allow: ' . $method );
			self::send( 405, array( 'detail' => 'Method Not Allowed' ) );
		}
	}

	/**
	 * The action of the nonce. It contains the visitor, because WordPress gives all guests the same nonce for the same action.
	 *
	 * @param string $user Id of the visitor at the service.
	 * @return string
	 */
	private static function nonce_action( $user ) {
		return self::TOKEN . '_' . $user;
	}

	/**
	 * Sends JSON that no cache stores, and ends the request.
	 *
	 * @param int                  $status HTTP status.
	 * @param array<string, mixed> $body   Data.
	 */
	private static function send( $status, $body ) {
		// The headers of WordPress against caching lack `no-store`, so that caches could store the response. WordPress has sent them before, and
		// sends them once more after the body, which is too late where PHP does not buffer its output.
		add_filter(
			'nocache_headers',
			static function ( $headers ) {
				$headers['Cache-Control'] = 'private, no-store';
				$headers['Vary']          = 'Cookie';
				return $headers;
			}
		);
		nocache_headers();
		wp_send_json( $body, $status );
	}
}
