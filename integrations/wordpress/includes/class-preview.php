<?php
/**
 * The preview of the block.
 *
 * @package UbikChat
 */

namespace UbikChat;

defined( 'ABSPATH' ) || exit;

/**
 * A document with a chat that sends no request, which the editor shows in a frame. So the styles of the editor do not change the chat, and
 * authors see the texts and colours that they choose.
 */
final class Preview {

	const ACTION = 'ubik_chat_preview';

	/** Adds the route, for signed-in users only. */
	public static function register() {
		add_action( 'admin_post_' . self::ACTION, array( self::class, 'send' ) );
	}

	/**
	 * The URL of the preview, to which the editor adds the attributes of the block.
	 *
	 * @return string
	 */
	public static function url() {
		return add_query_arg( 'action', self::ACTION, admin_url( 'admin-post.php', 'relative' ) );
	}

	/** Sends the document. It changes nothing, therefore it needs no nonce. */
	public static function send() {
		if ( ! current_user_can( 'edit_posts' ) ) {
			wp_die( esc_html__( 'You are not allowed to edit posts.', 'ubik-chat' ), '', 403 );
		}
		$options = array();
		foreach ( array( 'layout', 'height', 'greeting', 'starters', 'accent', 'theme' ) as $name ) {
			// phpcs:ignore WordPress.Security.NonceVerification.Recommended -- Nothing is changed.
			$options[ $name ] = isset( $_GET[ $name ] ) ? Settings::sanitize_lines( wp_unslash( $_GET[ $name ] ) ) : '';
		}
		// A closed bubble or panel would show only its button, so the layout `page` is used: it fills the frame.
		$options['layout'] = 'page';
		$chat              = Place::chat( $options );
		wp_enqueue_script( Assets::ELEMENTS );
		wp_enqueue_script( 'ubik-chat-preview', Assets::url( 'assets/preview.js' ), array(), UBIK_CHAT_VERSION, true );
		?>
<!doctype html>
<html <?php language_attributes(); ?>>
<head>
	<meta charset="utf-8">
	<meta name="viewport" content="width=device-width">
	<title><?php esc_html_e( 'Preview', 'ubik-chat' ); ?></title>
</head>
<body style="margin: 0">
	<div class="ubik-chat-preview" data-chat="<?php echo esc_attr( wp_json_encode( $chat, JSON_HEX_AMP ) ); ?>"></div>
		<?php wp_print_scripts( array( Assets::ELEMENTS, 'ubik-chat-preview' ) ); ?>
</body>
</html>
		<?php
		exit;
	}
}
