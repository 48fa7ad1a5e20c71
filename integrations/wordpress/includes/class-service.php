<?php
/**
 * Requests to the service.
 *
 * @package UbikChat
 */

namespace UbikChat;

use WP_Error;

defined( 'ABSPATH' ) || exit;

/** Requests tokens with the API key, which no page receives. */
final class Service {

	/** Lifetime of a token in minutes. */
	const TOKEN_MINUTES = 60;

	/** Largest response in bytes. */
	const MAX_RESPONSE = 65536;

	/**
	 * Requests a token for a user.
	 *
	 * @param string $user Id of the user at the service.
	 * @return string|WP_Error The token, or an error with a sentence for the administrator. The sentence contains nothing of the response,
	 *                         which may quote the key.
	 */
	public static function request_token( $user ) {
		$key = Settings::api_key();
		if ( '' === $key ) {
			return new WP_Error( 'ubik_chat_no_key', __( 'There is no API key: enter it in the settings of UBIK Chat.', 'ubik-chat' ) );
		}
		if ( '' !== Settings::unused_service() ) {
			return new WP_Error( 'ubik_chat_unused_address', Settings::unused_service_help() );
		}
		$response = wp_remote_post(
			Settings::get( 'service_url' ) . '/auth/token',
			array(
				'headers'             => array(
					'Content-Type' => 'application/json',
					'Accept'       => 'application/json',
					'X-API-Key'    => $key,
				),
				'body'                => wp_json_encode(
					array(
						'external_user_id'   => $user,
						'expires_in_minutes' => self::TOKEN_MINUTES,
					)
				),
				'timeout'             => 15,
				// A redirect would send the key to another server.
				'redirection'         => 0,
				'limit_response_size' => self::MAX_RESPONSE,
			)
		);
		if ( is_wp_error( $response ) ) {
			return new WP_Error( 'ubik_chat_unreachable', __( 'The service cannot be reached: check its address and the network of your server.', 'ubik-chat' ) );
		}
		$status = (int) wp_remote_retrieve_response_code( $response );
		if ( 401 === $status || 403 === $status ) {
			return new WP_Error( 'ubik_chat_key_rejected', __( 'The service rejects the API key: check the key.', 'ubik-chat' ) );
		}
		$body  = json_decode( wp_remote_retrieve_body( $response ), true );
		$token = is_array( $body ) && isset( $body['access_token'] ) ? $body['access_token'] : null;
		if ( 200 !== $status || ! is_string( $token ) || ! preg_match( '/^[\x21-\x7e]{1,8192}$/', $token ) ) {
			return new WP_Error( 'ubik_chat_no_token', __( 'The service issued no token: its address must be the URL before /auth/token, including the version.', 'ubik-chat' ) );
		}
		return $token;
	}
}
